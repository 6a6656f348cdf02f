import { isDeeperThan } from "codexwright/internal";
import type { DynamicToolSpec } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { DEEPEST } from "../depth.ts";

/** Throws the real server's error if a dynamic tool has an invalid or duplicate name. */
export function checkDynamicTools(specs: readonly DynamicToolSpec[]): void {
  // The first record of the thread has them, and a deeper record could not be read again.
  if (isDeeperThan(specs, DEEPEST)) {
    throw new ResponseError(-32600, `dynamic tools must not be nested deeper than ${DEEPEST} levels`);
  }
  const seen = new Set<string>();
  for (const spec of specs) {
    const names =
      spec.type === "namespace" ? spec.tools.map((tool) => `${spec.name}.${tool.name}`) : [spec.name];
    for (const whole of names) {
      const name = whole.split(".").at(-1) ?? "";
      if (name === "") throw new ResponseError(-32600, "dynamic tool name must not be empty");
      if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
        throw new ResponseError(
          -32600,
          `dynamic tool name must match ^[a-zA-Z0-9_-]+$ to match Responses API: ${name}`,
        );
      }
      if (seen.has(whole)) throw new ResponseError(-32600, `duplicate dynamic tool name: ${name}`);
      seen.add(whole);
    }
  }
}
