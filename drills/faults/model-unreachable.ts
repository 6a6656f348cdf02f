import { reply } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";

/**
 * With bounded retries the server gives up. By default it retries forever, and the turn's `silenceMs` ends
 * the turn.
 */
export const modelUnreachable: Drill = {
  name: "model-unreachable",
  fault: "nothing listens at the model's address",
  async run(run) {
    {
      await using live = await world([reply("before")]);
      const thread = await live.codex.startThread();
      await thread.run("go");
      await live.model.close();
      run.fault();
      await run.fails("a turn, if Codex may not retry", thread.run("go"), { code: "turn_failed" });
      await run.works("`thread.read()` after it", thread.read(true));
    }
    await using live = await world([], { config: "[features]\nunbounded_connection_retries = true\n" });
    await live.model.close();
    const thread = await live.codex.startThread();
    run.fault();
    await run.fails(
      "a turn with `silenceMs: 2000`, if it retries forever",
      thread.run("go", { silenceMs: 2_000 }),
      { code: "turn_timeout", limit: "silenceMs" },
    );
  },
};
