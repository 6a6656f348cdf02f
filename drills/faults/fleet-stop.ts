import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isGuard, killAll, processesOf } from "../../packages/test-support/src/world.ts";
import { mostAtOnce, twoAtOnce } from "../fleet/found.ts";
import { isAlive, uptime, type Entry } from "../fleet/ledger.ts";
import { FleetDrillWorld } from "../fleet/world.ts";
import type { Drill } from "../lib/drill.ts";
import type { DrillRun } from "../lib/drill-run.ts";

/** The shortest lease that a workflow can have. */
const LEASE_MS = 10_000;
/** The guards end agents this long before the lease is over. */
const GUARD_MS = 3_000;
const LOOK_MS = 20;

/** Stops the process of a fleet while its agents run on, with guards and without. */
export const fleetStop: Drill = {
  name: "fleet-stop",
  fault: "SIGSTOP of a fleet while its agents run on",
  needs: () => (process.platform === "linux" ? undefined : "needs /proc, to see which agents live"),
  async run(run) {
    const agents = run.count({ small: 2, short: 5, long: 10 });
    const rounds = run.count({ small: 1, short: 3, long: 10 });
    await Promise.all([guarded(run, agents, rounds), unguarded(run)]);
  },
};

/** Stops a fleet, then continues it or kills it and starts another one. */
async function guarded(run: DrillRun, agents: number, rounds: number): Promise<void> {
  await using world = await openWorld(agents);
  let fleet = world.start();
  for (let round = 0; round < rounds; round++) {
    for (const next of ["SIGCONT", "another process"] as const) {
      const before = await living(world, agents);
      await delay(run.random.below(2_000));
      const stopped = uptime();
      fleet.child.kill("SIGSTOP");
      const second = world.start();
      await second.exited;
      assert.equal(second.child.exitCode, 1);
      const refused = readFileSync(world.log, "utf8").includes(`process ${fleet.child.pid} uses`);
      assert.ok(refused, "the error of a second process must name the process that has the state folder");
      while (before.some(isAlive)) await delay(LOOK_MS);
      const lived = (uptime() - stopped) * 1_000;
      run.saw("the agents", "are ended by their guards, before the lease is over", lived);
      assert.ok(lived < LEASE_MS - GUARD_MS / 2, `agents lived ${lived} ms after their fleet was stopped`);
      const since = performance.now();
      if (next === "SIGCONT") fleet.child.kill("SIGCONT");
      else {
        fleet.child.kill("SIGKILL");
        await fleet.exited;
        fleet = world.start();
      }
      await living(world, agents);
      run.saw(`the issues, after ${next}`, "have new agents", performance.now() - since);
    }
  }
  const entries = world.ledger.entries();
  assert.equal(twoAtOnce(entries), 0, "no issue may have two agents at once");
  assert.ok(mostAtOnce(entries) <= agents);
  fleet.child.kill("SIGTERM");
  await fleet.exited;
  assert.equal(fleet.child.exitCode, 0);
}

/** The attack works if the defence is off: without guards, agents go on when their lease is over. */
async function unguarded(run: DrillRun): Promise<void> {
  await using world = await openWorld(1);
  const fleet = world.start();
  const before = await living(world, 1);
  const stopped = uptime();
  fleet.child.kill("SIGSTOP");
  // Each guard has a child process that keeps the time.
  killAll(processesOf(world.folder).filter(isGuard));
  while (uptime() - stopped < (LEASE_MS + GUARD_MS) / 1_000) await delay(LOOK_MS);
  assert.deepEqual(
    before.filter((agent) => !isAlive(agent)),
    [],
  );
  run.saw("the agents, if all guards are killed first", "go on when the lease is over", LEASE_MS + GUARD_MS);
  fleet.child.kill("SIGKILL");
  await fleet.exited;
  const next = world.start();
  await next.ready;
  assert.deepEqual(before.filter(isAlive), []);
  next.child.kill("SIGTERM");
  await next.exited;
  assert.equal(next.child.exitCode, 0);
}

function openWorld(agents: number): Promise<FleetDrillWorld> {
  const settings = `database:\n  lease_ms: ${LEASE_MS}\n`;
  return FleetDrillWorld.open({ issues: agents, slots: agents, workSeconds: 600, settings });
}

/** Waits until this number of agents work. */
async function living(world: FleetDrillWorld, agents: number): Promise<readonly Entry[]> {
  for (;;) {
    const lives = world.ledger.living();
    if (lives.length === agents) return lives;
    await delay(LOOK_MS);
  }
}
