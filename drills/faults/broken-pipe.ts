import { exec, gate, reply } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import { deferred } from "../../packages/test-support/src/events.ts";
import type { Drill } from "../lib/drill.ts";
import { valvedCodex } from "../lib/valve.ts";

/** The server runs and sends, but our writes fail: first a request, then an answer. */
export const brokenPipe: Drill = {
  name: "broken-pipe",
  fault: "EPIPE: writes to the server fail while it keeps running",
  needs: () =>
    process.versions["bun"] === undefined
      ? undefined
      : "needs Node: Bun reports a write to a broken pipe as successful",
  async run(run) {
    await using codex = await valvedCodex();
    const { codexPath } = codex;
    {
      const held = gate();
      await using live = await world([reply("never", { deltas: ["nev", held, "er"] })], { codexPath });
      const thread = await live.codex.startThread();
      const ended = run.fails("the turn, when a request is written", thread.run("go"), {
        code: "connection_closed",
      });
      await held.reached;
      await codex.break(live.server.root, "reader");
      run.fault();
      await run.fails("the request", live.codex.request("thread/loaded/list", {}), {
        code: "connection_closed",
        delivery: "unknown",
      });
      await ended;
    }
    {
      const [asked, broken] = [deferred(), deferred()];
      await using live = await world([exec("touch x", { justification: "to see" }), reply("done")], {
        codexPath,
        approvalPolicy: "on-request",
        sandbox: "read-only",
        client: {
          onApproval: async (): Promise<"accept"> => {
            asked.resolve();
            await broken.promise;
            return "accept";
          },
        },
      });
      const thread = await live.codex.startThread();
      const ended = run.fails(
        "the turn, when an approval is answered",
        thread.run("go", { silenceMs: 20_000 }),
        {
          code: "connection_closed",
        },
      );
      await asked.promise;
      await codex.break(live.server.root, "reader");
      run.fault();
      broken.resolve();
      await ended;
    }
  },
};
