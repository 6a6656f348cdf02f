import { expect } from "vitest";
import { CodexError } from "codexwright";
import { METHODS } from "codexwright/protocol";
import { reply } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

verifies(
  ["rpc.in-flight", "rpc.overload"],
  "all of 2,000 parallel requests are answered, although the server drops answers beyond its queue",
  async () => {
    await using live = await world([]);
    const requests = Array.from({ length: 2_000 }, () => live.codex.request("thread/loaded/list", {}));
    const outcomes = await Promise.allSettled(requests);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2_000);
  },
  PINNED,
);

/** Methods that would end the server, wait for a person, or use the network endlessly. */
const APART: ReadonlySet<string> = new Set(["initialize"]);

/**
 * Returns a value for a field, chosen by the name of the field. The server rejects most of these values, which is an
 * answer too.
 */
function valueFor(field: string, threadId: string, folder: string): unknown {
  if (field === "threadId") return threadId;
  if (/^(cwd|path|root|folder|source|destination)/i.test(field)) return `${folder}/smoke`;
  if (/(s|List|Ids|roots|command)$/.test(field)) return [];
  if (/^(enabled|recursive|include|is[A-Z]|experimental)/.test(field)) return false;
  if (/(limit|num|Ms|cols|rows|size)/i.test(field)) return 1;
  return "smoke";
}

verifies(
  "versions.smoke",
  "the real server answers every method of the schema with a result or a typed error",
  async () => {
    await using live = await world(() => reply("ok"));
    const { codex, server } = live;
    const thread = await codex.startThread();
    await thread.run("one");
    const send = codex.request as (method: string, params: object, options: object) => Promise<unknown>;
    const methods = Object.keys(METHODS.clientRequests).filter((method) => !APART.has(method));
    const answers = new Map<string, string>();
    for (const method of methods) {
      const fields = Object.keys(METHODS.clientRequests[method]?.fields ?? {});
      const params = Object.fromEntries(
        fields.map((field) => [field, valueFor(field, thread.id, server.workspace)]),
      );
      // Each method is called once with all fields and once without any, because one of the two may be rejected.
      for (const each of [params, {}]) {
        const outcome = await send(method, each, { timeoutMs: 20_000 }).then(
          () => "result",
          (error: unknown) => (error instanceof CodexError ? error.code : "untyped"),
        );
        answers.set(`${method} ${each === params ? "full" : "empty"}`, outcome);
      }
    }
    const bad = [...answers].filter(([, outcome]) => outcome !== "result" && outcome !== "rpc");
    expect(bad).toEqual([]);
    expect(methods.length).toBeGreaterThan(170);
  },
  { ...PINNED, timeoutMs: 240_000 },
);
