import { readdir, writeFile, mkdir } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { FENCE_MS, GUARD_MS, RunLease } from "@codexwright/orchestrator/internal";
import { deferred } from "../../../../test-support/src/events.ts";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { aGrant } from "../../support/fake-jobs.ts";
import { anIssue } from "../../support/snapshots.ts";
import { WorkerWorld } from "../../support/worker-world.ts";

describe("the leases of a worker", () => {
  verifies("fleet.worker.lease", "renews each 5 s, counted from before the renewal was sent", async () => {
    await using world = await WorkerWorld.open();
    const { jobs, clock, runs, leases } = world;
    jobs.queued.push(aGrant("a"));
    await using worker = world.worker();
    worker.start();
    await clock.advanceUntil(() => runs.length === 1);
    expect(leases[0]?.madeWith).toBe(27_000);
    const before = jobs.renewals;
    await clock.advance(20_000);
    expect(jobs.renewals - before).toBe(4);
    expect(leases[0]?.renewals).toEqual([27_000, 27_000, 27_000, 27_000]);
    // A renewal that is under way for 3 s gives 3 s less.
    const gate = deferred();
    jobs.gate = gate.promise;
    await clock.advanceUntil(() => jobs.renewals === before + 5);
    await clock.advance(3_000);
    gate.resolve();
    await clock.advance(0);
    const last = leases[0]?.renewals.at(-1);
    expect(last).toBeLessThanOrEqual(24_000);
    expect(last).toBeGreaterThan(23_000);
  });

  verifies("fleet.worker.lease", "the end of a lease is that of the newest request that succeeded", () => {
    const answers = fc.array(fc.record({ sentAgo: fc.nat(40_000), wait: fc.nat(6_000) }), { maxLength: 20 });
    fc.assert(
      fc.property(answers, (list) => {
        let now = 100_000;
        let fenced = false;
        let timer: { at: number; call: () => void } | undefined;
        let serverEndsAt = 0;
        const clock = {
          monotonic: () => now,
          date: () => new Date(now),
          after: (ms: number, call: () => void) => {
            timer = { at: now + ms, call };
            return () => {
              timer = undefined;
            };
          },
        };
        const lease = new RunLease(30_000, now, {
          clock,
          newServerLease: (ms) => {
            serverEndsAt = now + ms;
            return { remainingMs: ms, renew: (next) => void (serverEndsAt = now + next) };
          },
          fence: () => void (fenced = true),
        });
        let newest = now;
        for (const { sentAgo, wait } of list) {
          now += wait;
          if (timer && timer.at <= now) timer.call();
          if (fenced) break;
          const sentAt = now - sentAgo;
          lease.renewed(sentAt);
          newest = Math.max(newest, sentAt);
          expect(serverEndsAt).toBeLessThanOrEqual(newest + 30_000 - GUARD_MS);
          expect(timer?.at).toBe(Math.max(newest + 30_000 - FENCE_MS, now));
        }
        lease.end();
      }),
    );
  });

  verifies(
    "fleet.worker.fence",
    "ends the agent 5 s before the lease is over, if the database is away",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      jobs.queued.push(aGrant("a"));
      await using worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => runs.length === 1);
      await clock.advance(5_000);
      const renewedAt = clock.monotonic();
      jobs.isAway = true;
      await clock.advanceUntil(() => runs.some(({ control }) => control.signal.aborted));
      expect(runs[0]?.control.signal.reason).toMatchObject({ why: "fenced" });
      const after = clock.monotonic() - renewedAt;
      expect(after).toBeLessThanOrEqual(30_000 - FENCE_MS + 100);
      // Several renewals were tried.
      expect(jobs.calls.filter((call) => call === "renew").length).toBeGreaterThan(10);
      jobs.isAway = false;
      await clock.advanceUntil(() => jobs.settled.length === 1);
      expect(jobs.settled[0]?.transition).toMatchObject({ to: "retrying", retryKind: "lost" });
    },
  );

  verifies(
    "fleet.worker.fence",
    "an agent that ended while the worker was stopped has not failed",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      jobs.queued.push(aGrant("a"), aGrant("b"));
      await using worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => runs.length === 2);
      runs[0]?.end({ kind: "failed", code: "port_exit", message: "the agent crashed" });
      await clock.advanceUntil(() => jobs.settled.length === 1);
      clock.jump(30_000 - FENCE_MS);
      runs[1]?.end({ kind: "failed", code: "port_exit", message: "the lease of the app-server is over" });
      await clock.advanceUntil(() => jobs.settled.length === 2);
      expect(jobs.settled.map(({ transition }) => transition)).toMatchObject([
        { to: "retrying", retryKind: "failure" },
        { to: "retrying", retryKind: "lost", delayMs: 0 },
      ]);
    },
  );

  verifies("fleet.worker.fence", "ends an agent at once if its grant is gone, and no other one", async () => {
    await using world = await WorkerWorld.open();
    const { jobs, clock, runs } = world;
    jobs.queued.push(aGrant("a"), aGrant("b"));
    await using worker = world.worker();
    worker.start();
    await clock.advanceUntil(() => runs.length === 2);
    jobs.gone.add("run-a");
    expect(await runs[0]?.control.holds()).toBe(false);
    await clock.advance(5_000);
    expect(runs.map(({ control }) => control.signal.aborted)).toEqual([true, false]);
    expect(await runs[1]?.control.holds()).toBe(true);
    await clock.advanceUntil(() => world.lines.some((line) => line.includes("event=run.fenced")));
    expect(jobs.settled).toHaveLength(0);
  });

  verifies(
    "fleet.worker.spool",
    "keeps a result while the database is away, for the next process, too",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      const spool = path.join(world.folder, "spool");
      const spooled = async (): Promise<number> => (await readdir(spool).catch(() => [])).length;
      jobs.queued.push(aGrant("a"), aGrant("b"));
      const worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => runs.length === 2);
      jobs.isAway = true;
      runs[0]?.end({ kind: "completed", issue: anIssue("a") });
      runs[1]?.end({ kind: "failed", code: "turn_failed", message: "no SECRET" });
      await worker.close();
      expect(await spooled()).toBe(2);
      await mkdir(spool, { recursive: true });
      await writeFile(path.join(spool, "damaged.json"), "{");
      jobs.isAway = false;
      jobs.gone.add("run-b");
      await using next = world.worker();
      await next.recover();
      expect(jobs.settled).toMatchObject([{ runId: "run-a", transition: { retryKind: "continuation" } }]);
      expect(world.lines.some((line) => line.includes("run.fenced") && line.includes("run_id=run-b"))).toBe(
        true,
      );
      expect(world.lines.join("")).not.toContain("SECRET");
      expect(await readdir(spool)).toEqual(["damaged.json"]);
    },
  );

  verifies("fleet.worker.lease", "a short lease is renewed more often", async () => {
    await using world = await WorkerWorld.open();
    const { jobs, clock, runs } = world;
    jobs.queued.push(aGrant("a", { leaseMs: 12_000 }));
    await using worker = world.worker();
    worker.start();
    await clock.advanceUntil(() => runs.length === 1);
    await clock.advance(5_000);
    const before = jobs.renewals;
    await clock.advance(10_000);
    expect(jobs.renewals - before).toBe(5);
  });
});
