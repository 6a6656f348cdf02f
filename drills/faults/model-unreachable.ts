import { reply } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";

/** With bounded retries the server gives up, by default it never does: then the silence of the turn ends it. */
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
      await run.fails("a turn, where Codex may not retry", thread.run("go"), { code: "turn_failed" });
      await run.works("`thread.read()` after it", thread.read(true));
    }
    await using live = await world([], { config: "[features]\nunbounded_connection_retries = true\n" });
    await live.model.close();
    const thread = await live.codex.startThread();
    run.fault();
    await run.fails(
      "a turn with `silenceMs: 2000`, where it retries for ever",
      thread.run("go", { silenceMs: 2_000 }),
      { code: "turn_timeout", limit: "silenceMs" },
    );
  },
};
