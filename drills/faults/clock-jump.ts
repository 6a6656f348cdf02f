import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gate, reply } from "@codexwright/testing";
import { world } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";

const DAY_S = 86_400;
/** Debian installs the library in a folder below this one, named after the architecture. */
const LIBRARIES = "/usr/lib";

/**
 * Sets the wall clock an hour ahead, a day back, a month ahead and back to the correct time, in the middle of
 * turns. The monotonic clock, which timers use, cannot be set.
 */
export const clockJump: Drill = {
  name: "clock-jump",
  fault: "the clock is set forward and back in the middle of a turn",
  needs,
  env: (folder) => ({ ...environment(folder), FAKETIME_DONT_FAKE_MONOTONIC: "1" }),
  async run(run) {
    using clock = fakeClock();
    const jumps = [3_600, -DAY_S, 30 * DAY_S, 0];
    const gates = jumps.map(() => gate());
    const [stuck, words] = [gate(), jumps.map((seconds) => `${seconds} `)];
    await using live = await world([
      reply(words.join(""), { deltas: words.flatMap((word, n) => [word, gates[n] as (typeof gates)[0]]) }),
      reply("never", { deltas: ["nev", stuck, "er"] }),
      reply("never", { deltas: ["nev", stuck, "er"] }),
      reply("next"),
    ]);
    const thread = await live.codex.startThread();
    const turn = thread.turn("go", { silenceMs: 2_000, timeoutMs: 20_000 });
    for (const [n, seconds] of jumps.entries()) {
      await gates[n]?.reached;
      const before = Date.now();
      clock.set(seconds);
      assert.ok(Math.abs(Date.now() - before) > 1_000_000, "the clock did not jump");
      await live.codex.request("thread/loaded/list", {}, { timeoutMs: 5_000 });
      gates[n]?.open();
    }
    run.fault();
    const { durationMs } = await run.works(
      "a turn with limits of 2 s and 20 s through four jumps",
      turn.completed,
    );
    assert.ok(durationMs >= 0 && durationMs < 20_000, `its reported duration is ${durationMs} ms`);
    for (const limit of ["silenceMs", "timeoutMs"] as const) {
      const ended = run.fails(
        `a silent turn with \`${limit}: 1000\``,
        thread.run("go", { silenceMs: 0, [limit]: 1_000 }),
        {
          code: "turn_timeout",
          limit,
        },
      );
      await stuck.reached;
      run.fault();
      // Measured with the monotonic clock, which cannot be set.
      const since = performance.now();
      clock.set(limit === "silenceMs" ? -DAY_S : DAY_S);
      await ended;
      const took = performance.now() - since;
      assert.ok(took > 500 && took < 5_000, `the limit of 1000 ms took effect after ${took} ms`);
    }
    await run.works("the next turn", thread.run("go"));
  },
};

function needs(): string | undefined {
  return library() === undefined ? "needs libfaketime (Debian's package `faketime`)" : undefined;
}

function library(): string | undefined {
  if (process.platform !== "linux") return undefined;
  return readdirSync(LIBRARIES)
    .map((folder) => path.join(LIBRARIES, folder, "faketime/libfaketime.so.1"))
    .find((file) => existsSync(file));
}

function environment(folder: string): Record<string, string> {
  const file = path.join(folder, "clock");
  writeFileSync(file, "+0");
  return { LD_PRELOAD: library() ?? "", FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1" };
}

/** The clock of this process, controlled by a file that is read again on every query of the time. */
function fakeClock(): Disposable & { set(secondsAhead: number): void } {
  const file = process.env["FAKETIME_TIMESTAMP_FILE"];
  if (file === undefined) throw new Error("the clock of this process is the real one");
  return {
    set: (seconds) => writeFileSync(file, seconds < 0 ? `${seconds}` : `+${seconds}`),
    [Symbol.dispose]: () => rmSync(file),
  };
}
