import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";
import { checkWorkspaces, mostAtOnce, twoAtOnce } from "../fleet/found.ts";
import { uptime, type Entry } from "../fleet/ledger.ts";
import { FleetDrillWorld, type FleetProcess } from "../fleet/world.ts";

/** Every third kill comes while the fleet starts, the others while its agents work. */
const STARTING_MS = 1_200;
const WORKING_MS = 3_000;
/** How often the drill looks at the ledger. */
const LOOK_MS = 20;
const RECOVERY_MS = 5_000;

/** Kills the process of a fleet again and again, and compares the ledger of the agents with the tracker. */
export const fleetKill: Drill = {
  name: "fleet-kill",
  fault: "kill -9 of a fleet at a random moment",
  needs: () => (process.platform === "linux" ? undefined : "needs /proc, to see which agents live"),
  async run(run) {
    const issues = run.count({ small: 4, short: 60, long: 300 });
    const slots = run.count({ small: 2, short: 5, long: 5 });
    const kills = run.count({ small: 2, short: 20, long: 100 });
    const workSeconds = run.count({ small: 0.8, short: 4, long: 4 });
    await using world = await FleetDrillWorld.open({ issues, slots, workSeconds });
    let interrupted = 0;
    let waiting: Waiting = { since: undefined, issues: new Set(), times: [] };
    let fleet = start(world, waiting);
    for (let kill = 0; kill < kills; kill++) {
      if (kill % 3 === 1) await delay(run.random.below(STARTING_MS));
      else {
        await recovered(run, world, waiting);
        await working(world, waiting);
        await delay(run.random.below(WORKING_MS));
      }
      const running = runningIn(world.ledger.entries().filter(({ at }) => at >= (waiting.since ?? 0)));
      run.fault();
      fleet.child.kill("SIGKILL");
      await fleet.exited;
      interrupted += running.length;
      // Those that an earlier kill has interrupted may still wait.
      waiting = { ...waiting, issues: new Set([...waiting.issues, ...running]) };
      fleet = start(world, waiting);
    }
    await recovered(run, world, waiting);
    while (!(await all(world, "done"))) await delay(LOOK_MS);
    run.saw("the issues", "are all done");
    await stopped(fleet);
    const entries = world.ledger.entries();
    assert.equal(twoAtOnce(entries), 0, "no issue may have two agents at once");
    const most = mostAtOnce(entries);
    assert.ok(most <= slots, `${most} agents lived at once`);
    checkWorkspaces(world.workspaces, entries);
    assert.deepEqual(world.ledger.living(), []);
    await closed(world);
    const slowest = Math.max(0, ...waiting.times);
    // The suite also runs on machines that are busy.
    if (run.form !== "small") assert.ok(slowest <= RECOVERY_MS, `a recovery took ${slowest} ms`);
    const begun = entries.filter(({ what }) => what === "begin").length;
    run.fact(
      `${kills} kills of a fleet with ${issues} issues and ${slots} slots interrupted ${interrupted} agents. ` +
        `${begun} agents began. 0 issues were lost, 0 had two agents at once, at most ${most} agents lived at once. ` +
        `Every workspace is as its last commit says.`,
    );
  },
};

interface Waiting {
  /** When the fleet was started again. */
  since: number | undefined;
  /** The issues whose agents were killed, and that have no new agent yet. */
  readonly issues: Set<string>;
  /** How long it took, for each restart, until all issues had new agents. In milliseconds. */
  readonly times: number[];
}

function start(world: FleetDrillWorld, waiting: Waiting): FleetProcess {
  waiting.since = uptime();
  return world.start();
}

/** Waits until each issue whose agent was killed has a new one, or was done already. */
async function recovered(run: DrillRun, world: FleetDrillWorld, waiting: Waiting): Promise<void> {
  const { since = 0, issues } = waiting;
  const had = issues.size > 0;
  let last = 0;
  while (issues.size > 0) {
    await delay(LOOK_MS);
    const states = await world.states();
    for (const { at, what, issue } of world.ledger.entries()) {
      if (what !== "begin" || at < since || !issues.delete(issue)) continue;
      last = Math.max(last, (at - since) * 1_000);
    }
    for (const issue of issues) if (states.get(issue) === "done") issues.delete(issue);
  }
  if (!had || last === 0) return;
  run.saw("the interrupted issues", "have new agents", last);
  waiting.times.push(last);
}

/** Waits until an agent of this fleet works, or no issue is left. */
async function working(world: FleetDrillWorld, { since = 0 }: Waiting): Promise<void> {
  const works = (): boolean => world.ledger.entries().some(({ what, at }) => what === "begin" && at >= since);
  while (!works() && !(await all(world, "done"))) await delay(LOOK_MS);
}

/** The issues of the agents that have begun and not ended. */
function runningIn(entries: readonly Entry[]): readonly string[] {
  const running = new Map<number, string>();
  for (const { what, pid, issue } of entries) {
    if (what === "begin") running.set(pid, issue);
    else if (what === "end") running.delete(pid);
  }
  return [...new Set(running.values())];
}

async function all(world: FleetDrillWorld, state: string): Promise<boolean> {
  return [...(await world.states()).values()].every((each) => each === state);
}

async function stopped({ child, ready, exited }: FleetProcess): Promise<void> {
  await ready;
  child.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
}

/** Closes the issues, as a person would. The next fleet removes their workspaces. */
async function closed(world: FleetDrillWorld): Promise<void> {
  for (const issue of (await world.states()).keys()) await world.put(issue, "closed");
  const fleet = world.start();
  while (readdirSync(world.workspaces).some((name) => !name.startsWith("."))) await delay(LOOK_MS);
  await stopped(fleet);
}
