import assert from "node:assert/strict";
import type { Drill } from "../lib/drill.ts";
import { KILL, Lane, type LaneOptions, type Pauses } from "./lane.ts";
import { Ledger } from "./ledger.ts";
import { Memory } from "./memory.ts";
import { faultyModel, htmlAtTimes } from "./model.ts";

/** Pauses in milliseconds. In the small form, every kind of fault must come within seconds. */
const SMALL: Pauses = { faults: [100, 800], lives: [1_000, 3_000] };
const LONG: Pauses = { faults: [300, 6_000], lives: [1_000, 30_000] };

/** How much more memory the engine may have in the last quarter than in the second. The first quarter is its warm-up. */
const GROWTH = 1.25;
/** The least that the small form does, if it takes no longer than the time below. */
const LEAST = { turns: 16, kills: 2 };
const LONGEST_SMALL_MS = 60_000;
const PROGRESS_MS = 10_000;

/**
 * Two engines work for some minutes (CODEXWRIGHT_SOAK_MINUTES) while provider, disk, MCP servers and processes fail. One
 * engine is killed again and again; the memory of the other one is measured.
 */
export const engineSoak: Drill = {
  name: "engine-soak",
  fault: "faults of provider, disk, MCP servers and processes, at random, on our own engine",
  needs: () => (process.platform === "linux" ? undefined : "needs /proc, to look for processes"),
  async run(run) {
    const soakMinutes = process.env["CODEXWRIGHT_SOAK_MINUTES"];
    const seconds =
      soakMinutes === undefined ? run.count({ small: 6, short: 60, long: 3_600 }) : Number(soakMinutes) * 60;
    const start = performance.now();
    const isSmall = run.form === "small";
    const pauses = isSmall ? SMALL : LONG;
    const { random } = run;
    const ledger = new Ledger();
    const over = (): boolean => {
      const passed = performance.now() - start;
      // On a busy machine, the small form takes longer, and tests as much.
      const isEnough =
        !isSmall ||
        passed > LONGEST_SMALL_MS ||
        (total(ledger.outcomes) >= LEAST.turns && (ledger.faults.get(KILL) ?? 0) >= LEAST.kills);
      return passed > seconds * 1_000 && isEnough;
    };
    await using model = await faultyModel(random, ledger);
    await using provider = await htmlAtTimes(model, random, ledger);
    const options: Omit<LaneOptions, "kills"> = { model: provider, ledger, random, pauses, over };
    await using killed = await Lane.open({ ...options, kills: true });
    await using steady = await Lane.open({ ...options, kills: false });
    const memory = new Memory(() => (over() ? undefined : steady.pid));
    const progress = setInterval(() => {
      const minutes = ((performance.now() - start) / 60_000).toFixed(1);
      const turns = [...ledger.outcomes.values()].reduce((sum, times) => sum + times, 0);
      run.progress(
        `${minutes} min: ${turns} turns, ${ledger.counts.threads} threads, ${total(ledger.faults)} faults, ` +
          `${memory.last.toFixed(0)} MiB, ${ledger.wrong.length} problems`,
      );
    }, PROGRESS_MS);
    try {
      await Promise.all([killed.run(), steady.run()]);
    } finally {
      clearInterval(progress);
      memory.stop();
    }
    for (const line of facts(ledger)) run.fact(line);
    const quarters = memory.quarters();
    run.fact(
      quarters
        ? `memory of the engine that is not killed, by quarters of the time: ${quarters.map((each) => each.toFixed(0)).join(", ")} MiB`
        : "too short for a trend of the memory",
    );
    run.saw("turns, tools and threads", "nothing is lost, doubled or left behind", performance.now() - start);
    assert.deepEqual([...new Set(ledger.wrong)].slice(0, 20), []);
    if (quarters) {
      const [, early, , late] = quarters;
      assert.ok(late <= early * GROWTH, `the engine grew from ${early.toFixed(0)} to ${late.toFixed(0)} MiB`);
    }
  },
};

function total(map: ReadonlyMap<string, number>): number {
  return [...map.values()].reduce((sum, times) => sum + times, 0);
}

function list(map: ReadonlyMap<string, number>): string {
  return [...map]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `${times} ${name}`)
    .join(", ");
}

function facts({ counts, outcomes, faults }: Ledger): string[] {
  return [
    `faults: ${list(faults)}`,
    `${total(outcomes)} turns, each with one outcome: ${list(outcomes)}`,
    `${counts.items} completed items in ${counts.threads} threads, and ${counts.resumes} resumes: none lost, none twice`,
    `${counts.runs} calls that wrote to a ledger, none twice`,
    `clients received ${counts.unwritten} items that a kill or a full disk kept from being written`,
  ];
}
