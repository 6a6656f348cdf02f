import assert from "node:assert/strict";
import { gate, reply } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";

const SILENCE_MS = 600;

/**
 * A turn with a slow model that keeps sending must continue; a turn with a model that stops midway must end.
 */
export const modelSlow: Drill = {
  name: "model-slow",
  fault: "the model sends a word every 200 ms, then stops in the middle",
  async run(run) {
    const words = Array.from(
      { length: run.count({ small: 8, short: 50, long: 600 }) },
      (_, n) => `word${n} `,
    );
    const stuck = gate();
    await using live = await world([
      reply(words.join(""), { deltas: words, delayMs: 200 }),
      reply("never", { deltas: ["nev", stuck, "er"] }),
      reply("next"),
    ]);
    const thread = await live.codex.startThread();
    run.fault();
    const { agentMessage } = await run.works(
      `a turn of ${words.length} words with \`silenceMs: ${SILENCE_MS}\``,
      thread.run("go", { silenceMs: SILENCE_MS }),
    );
    assert.equal(agentMessage, words.join(""));
    const silent = run.fails("a turn that stops", thread.run("go", { silenceMs: SILENCE_MS }), {
      code: "turn_timeout",
      limit: "silenceMs",
    });
    await stuck.reached;
    run.fault();
    await silent;
    await run.works("the next turn", thread.run("go"));
  },
};
