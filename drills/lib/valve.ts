import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findCodex } from "codexwright/stdio";
import { processesOf } from "../../packages/test-support/src/world.ts";
import { until } from "../../packages/test-support/src/events.ts";

/**
 * The pipes that can be broken: `output` closes the pipe that the client reads, `input` ends the server's
 * stdin, and `reader` closes the read end of the pipe that the client writes to, without notifying the
 * server.
 */
export const SIGNALS = { output: "SIGUSR2", input: "SIGURG", reader: "SIGIO" } as const;

/** The valve itself is not under test, so it always runs on Node, which closes file descriptors when asked to. */
const NODE = process.versions["bun"] === undefined ? process.execPath : "node";

/** A real Codex behind pipes that can be broken. */
export interface ValvedCodex extends AsyncDisposable {
  /** The path to pass as `codexPath`. */
  readonly codexPath: string;
  /** Breaks a pipe of the server with this root. Resolves when the pipe is broken. */
  break(root: string, pipe: keyof typeof SIGNALS): Promise<void>;
}

export async function valvedCodex(): Promise<ValvedCodex> {
  const folder = await mkdtemp(path.join(tmpdir(), "valve-"));
  const codexPath = path.join(folder, "codex");
  const program = path.resolve(import.meta.dirname, "../programs/valve.js");
  const { command } = findCodex({ from: [import.meta.dirname] });
  await writeFile(codexPath, `#!/bin/sh\nexec '${NODE}' '${program}' '${command}' "$@"\n`);
  await chmod(codexPath, 0o755);
  return {
    codexPath,
    async break(root, pipe) {
      const valve = processesOf(root).find((pid) =>
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(program),
      );
      if (valve === undefined) throw new Error("the valve does not run");
      process.kill(valve, SIGNALS[pipe]);
      if (pipe !== "input") await until(() => !existsSync(`/proc/${valve}/fd/${pipe === "reader" ? 0 : 1}`));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
