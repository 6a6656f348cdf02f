import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { realAppServer } from "@codexwright/testing";
import { killAll } from "../../packages/test-support/src/world.ts";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";
import { inLanes } from "../lib/lanes.ts";
import { processes, type Seen } from "../lib/machine.ts";
import type { Random } from "../lib/random.ts";
import type { VictimOptions } from "../programs/victim.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../programs/victim.js");

const CASES = ["the server", "its owner", "both at once", "the guard, then the others"] as const;

/**
 * The command that runs at the time of the kill; `$0` is an argument of `sleep` that is unique to this run.
 */
const COMMANDS: readonly { readonly script: string; readonly fullAccess?: true }[] = [
  { script: 'exec sleep "$0"' },
  { script: '(sleep "$0" & sleep "$0" & wait) & sleep "$0"; wait' },
  { script: 'trap "" TERM HUP INT; sleep "$0"; sleep "$0"' },
  { script: 'nohup sleep "$0" >/dev/null 2>&1 & sleep "$0"' },
  { script: 'setsid sleep "$0" & sleep "$0"' },
  { script: 'env -i sleep "$0" & exec sleep "$0"' },
  { script: 'exec sleep "$0"', fullAccess: true },
  { script: 'trap "" TERM HUP INT; sleep "$0" & sleep "$0"; wait', fullAccess: true },
  { script: 'setsid nohup sleep "$0" >/dev/null 2>&1 & exec sleep "$0"', fullAccess: true },
];

/** The kills are spread over this time after the command was sent, with more kills at the beginning of this time. */
const SPREAD_MS = 500;
/**
 * Each run has three processes and a command. There are more runs than cores, so that they disturb each
 * other.
 */
const AT_ONCE = 4;
/** Processes that still exist after this time count as left behind. */
const PATIENCE_MS = 10_000;
/**
 * A process is invisible for a moment while it executes another program. It counts as gone if it is missing
 * this many times in a row.
 */
const LOOKS = 3;
const LOOK_MS = 20;

interface Kill {
  readonly of: (typeof CASES)[number];
  readonly afterMs: number;
  readonly command: (typeof COMMANDS)[number];
  /** Which processes the fourth case kills after the guard: the server or its owner (0 or 1), or both (2). */
  readonly others: 0 | 1 | 2;
  /** The duration of the `sleep` in seconds, as a text that no other command line contains. */
  readonly tag: string;
}

/** Kills processes at random moments from the first command on, and counts the survivors. */
export const orphans: Drill = {
  name: "orphans",
  fault: "kill -9 in the first 500 ms of a command",
  needs: () => (process.platform === "linux" ? undefined : "needs /proc, to look for processes"),
  async run(run) {
    const kills = plan(run.count({ small: 5, short: 400, long: 400 }), run.random);
    const left: string[] = [];
    const replaced: number[] = [];
    await inLanes(AT_ONCE, kills, (kill) => one(run, kill, left, replaced));
    for (const each of CASES)
      run.fact(
        `${kills.filter((kill) => kill.of === each).length} kills of ${each}: ${left.filter((what) => what.startsWith(each)).length} left`,
      );
    const times = replaced.toSorted((a, b) => a - b).map(Math.ceil);
    run.fact(
      `a killed guard was replaced after ${times[times.length >> 1] ?? 0} ms, at most ${times.at(-1) ?? 0} ms`,
    );
    assert.deepEqual(left, []);
  },
};

/** Returns the same number of kills for each case, in shuffled order. */
function plan(each: number, random: Random): readonly Kill[] {
  const kills = Array.from({ length: each }, (_, n) =>
    CASES.map((of, column) => ({
      of,
      afterMs: SPREAD_MS * ((n + random.below(1_000) / 1_000) / each) ** 2,
      command: random.pick(COMMANDS),
      others: random.pick([0, 1, 2] as const),
      tag: `3600.${random.below(1_000_000)}${n * CASES.length + column}`,
    })),
  ).flat();
  for (let n = kills.length - 1; n > 0; n--) {
    const other = random.below(n + 1);
    [kills[n], kills[other]] = [kills[other] as Kill, kills[n] as Kill];
  }
  return kills;
}

async function one(run: DrillRun, kill: Kill, left: string[], replaced: number[]): Promise<void> {
  await using world = await realAppServer({ model: { baseUrl: "http://127.0.0.1:9/v1" } });
  const { codexHome, cwd, env } = world.clientOptions;
  const { script, fullAccess = false } = kill.command;
  const options: VictimOptions = {
    work: "kept",
    client: { codexHome, cwd },
    command: ["sh", "-c", script, kill.tag],
    fullAccess,
  };
  const owner = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(owner, "exit");
  await Promise.race([once(owner.stdout, "data"), ended]);
  const ours = (): readonly Seen[] =>
    processes().filter(
      ({ words, environment }) => environment.includes(world.root) || words.includes(kill.tag),
    );
  const server = ours().find(({ words }) => words[1] === "app-server");
  assert.ok(server, "the server is not running");
  await delay(kill.afterMs);
  if (kill.of === "the guard, then the others") replaced.push(await killGuard(owner));
  const since = performance.now();
  killAll(victims(kill, server.pid, owner));
  const { remains, at } = await gone(ours, since + PATIENCE_MS);
  const outcome = remains.length === 0 ? "nothing is left" : "processes are left";
  run.saw(`kill of ${kill.of}`, outcome, at - since);
  if (remains.length > 0) {
    const words = remains.map((seen) => seen.words.slice(0, 4).join(" "));
    left.push(`${kill.of} after ${kill.afterMs.toFixed(1)} ms of \`${script}\`: ${words.join(", ")}`);
    killAll(remains.map(({ pid }) => pid));
  }
  owner.kill("SIGKILL");
  await ended;
}

function victims({ of, others }: Kill, server: number, owner: ChildProcess): readonly number[] {
  const pids = [server, owner.pid as number];
  if (of === "the server") return [server];
  if (of === "its owner") return [owner.pid as number];
  return of === "both at once" || others === 2 ? pids : pids.slice(others, others + 1);
}

/** Kills the guard. Resolves with the time until a new guard runs. */
async function killGuard(owner: ChildProcess): Promise<number> {
  const guard = (): number | undefined =>
    processes().find(({ parent, words }) => parent === owner.pid && words.includes("codexwright-guard"))?.pid;
  const first = guard();
  assert.ok(first !== undefined, "no guard runs beside the server");
  const since = performance.now();
  killAll([first]);
  for (;;) {
    const next = guard();
    if (next !== undefined && next !== first) return performance.now() - since;
    assert.ok(performance.now() - since < PATIENCE_MS, "the guard was not replaced");
    await delay(5);
  }
}

/**
 * Returns the remaining processes and the time when the last one was seen to be gone. Stops waiting at
 * `until`.
 */
async function gone(
  ours: () => readonly Seen[],
  until: number,
): Promise<{ readonly remains: readonly Seen[]; readonly at: number }> {
  let at = 0;
  for (let empty = 0; ;) {
    const remains = ours();
    empty = remains.length === 0 ? empty + 1 : 0;
    if (empty <= 1) at = performance.now();
    if (empty === LOOKS || (performance.now() > until && empty === 0)) return { remains, at };
    await delay(LOOK_MS);
  }
}
