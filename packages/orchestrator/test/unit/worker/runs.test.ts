import { describe, expect } from "vitest";
import { TrackerError, type Cleanup } from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { aGrant } from "../../support/fake-jobs.ts";
import { anIssue } from "../../support/snapshots.ts";
import { WorkerWorld } from "../../support/worker-world.ts";

describe("the runs of a worker", () => {
  verifies(
    "fleet.worker.slots",
    "has no more runs than slots, and takes the next one when one ends",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      await using worker = world.worker();
      worker.start();
      jobs.queued.push(...["a", "b", "c", "d"].map((id) => aGrant(id)));
      await clock.advanceUntil(() => runs.length === 2);
      await clock.advance(10_000);
      expect(runs).toHaveLength(2);
      runs[0]?.end({ kind: "completed", issue: anIssue("a") });
      // The time stands still: nothing but the end of the run causes the pull.
      await clock.advanceUntil(() => runs.length === 3, 0);
      jobs.queued.length = 0;
      runs[1]?.end({ kind: "completed", issue: anIssue("b", { state: "Done" }) });
      await clock.advanceUntil(() => jobs.settled.length === 2, 0);
      expect(world.freed).toBe(1);
      jobs.queued.push(aGrant("e"));
      worker.poke();
      await clock.advanceUntil(() => runs.length === 4, 0);
      expect(world.most).toBe(2);
    },
  );

  verifies(
    "fleet.worker.refreshed",
    "starts nothing for an issue that is no longer to be worked on",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      world.issue = (id) => {
        if (id === "error") throw new TrackerError("tracker_status", "it answered 500");
        if (id === "limited") {
          const retryAt = clock.date().getTime() + 60_000;
          throw new TrackerError("tracker_rate_limited", "slow down", { retryAt });
        }
        return id === "gone" ? null : anIssue(id, id === "done" ? { state: "Done" } : { title: "new title" });
      };
      await using worker = world.worker({ host: () => ({ name: "host-1", slots: 9 }) });
      jobs.queued.push(...["gone", "done", "error", "limited", "ok"].map((id) => aGrant(id)));
      worker.start();
      await clock.advanceUntil(() => jobs.settled.length === 4 && runs.length === 1);
      expect(runs[0]?.task.claim.issue.title).toBe("new title");
      const ends = new Map(
        jobs.settled.map(({ runId, outcome, transition }) => [runId, [outcome, transition]]),
      );
      expect(ends.get("run-gone")).toMatchObject([{ kind: "stale", issue: null }, { to: "released" }]);
      expect(ends.get("run-done")).toMatchObject([
        { kind: "stale", issue: { state: "Done" } },
        { to: "released", cleanup: true },
      ]);
      expect(ends.get("run-error")).toMatchObject([
        { kind: "failed", code: "tracker_error" },
        { to: "retrying", failures: 1 },
      ]);
      expect(ends.get("run-limited")).toMatchObject([
        { kind: "limited" },
        { to: "retrying", failures: 0, scopeWaitsUntil: expect.any(String) as string },
      ]);
    },
  );

  verifies("fleet.worker.orders", "obeys the first order, and no later one", async () => {
    await using world = await WorkerWorld.open();
    const { jobs, clock, runs } = world;
    jobs.queued.push(aGrant("a"), aGrant("b"));
    await using worker = world.worker();
    worker.start();
    await clock.advanceUntil(() => runs.length === 2);
    world.obeys = false;
    jobs.orders.set("run-a", { kind: "stop", by: "ann", reason: "wrong" });
    jobs.orders.set("run-b", { kind: "reconcile", why: "terminal" });
    await clock.advanceUntil(() => runs.every(({ control }) => control.signal.aborted));
    jobs.orders.set("run-a", { kind: "reconcile", why: "gone" });
    await clock.advance(10_000);
    expect(runs.map(({ control }) => control.signal.reason as unknown)).toMatchObject([
      { why: "operator", by: "ann", reason: "wrong" },
      { why: "terminal", by: null },
    ]);
    for (const run of runs) run.end({ kind: "stopped", why: "terminal", by: null, reason: null });
    await clock.advanceUntil(() => jobs.settled.length === 2);
  });

  verifies(
    ["fleet.worker.stall", "symphony.17.4.stall"],
    "stops a run that is silent for too long, and no other one",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      jobs.queued.push(aGrant("a"), aGrant("b"));
      await using worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => runs.length === 2);
      runs[0]?.observer.silence(300_000);
      runs[1]?.observer.silence(300_001);
      await clock.advanceUntil(() => jobs.settled.length === 1);
      expect(jobs.settled[0]).toMatchObject({
        runId: "run-b",
        outcome: { kind: "failed", code: "stalled" },
        transition: { to: "retrying", retryKind: "failure" },
      });
    },
  );

  verifies(
    "fleet.worker.progress",
    "stores the newest progress, without secrets, and waits for nothing",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      jobs.queued.push(aGrant("a"));
      await using worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => runs.length === 1);
      const [run] = runs;
      jobs.isAway = true;
      run?.observer.workspace("/w/A");
      await clock.advance(500);
      jobs.isAway = false;
      for (let index = 0; index < 1_000; index++) run?.observer.heard(`event ${index}`, `SECRET ${index}`);
      run?.observer.session({ threadId: "t", turnId: "u", turnCount: 3 });
      await clock.advance(500);
      expect(jobs.reports).toHaveLength(1);
      expect(jobs.reports[0]).toMatchObject({
        workspacePath: "/w/A",
        lastEvent: "event 999",
        lastMessage: "… 999",
        sessionId: "t-u",
        turnCount: 3,
      });
    },
  );

  verifies(
    "fleet.worker.day",
    "counts the tokens of all hosts, and those of this one as they are used",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock, runs } = world;
      jobs.spent = 4_000;
      jobs.queued.push(aGrant("a"), aGrant("b"));
      await using worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => runs.length === 2);
      const left = (): (number | null)[] => runs.map(({ control }) => control.dayTokensLeft());
      expect(left()).toEqual([6_000, 6_000]);
      const tokens = (totalTokens: number) => ({
        inputTokens: 0,
        cachedInputTokens: 0,
        outputTokens: totalTokens,
        totalTokens,
      });
      runs[0]?.observer.tokens(tokens(1_000));
      runs[0]?.observer.tokens(tokens(1_500));
      runs[1]?.observer.tokens(tokens(500));
      expect(left()).toEqual([4_000, 4_000]);
      // The job store does not have them yet.
      await clock.advance(5_000);
      expect(left()).toEqual([4_000, 4_000]);
      jobs.spent = 9_000;
      await clock.advance(5_000);
      expect(left()).toEqual([1_000, 1_000]);
      runs[1]?.observer.tokens(tokens(9_000));
      expect(left()).toEqual([0, 0]);
      clock.dateOffset = 12 * 3_600_000;
      runs[0]?.observer.tokens(tokens(1_600));
      expect(left()[0]).toBeGreaterThan(0);
    },
  );

  verifies(
    "fleet.worker.cleanups",
    "removes workspaces, and keeps the job of one that cannot be removed",
    async () => {
      await using world = await WorkerWorld.open();
      const { jobs, clock } = world;
      const job = (identifier: string): Cleanup => ({
        job: identifier,
        scope: "scope",
        identifier,
        workspacePath: `/w/${identifier}`,
        workflowVersion: "v1",
      });
      jobs.cleanupJobs.push(job("BAD"), job("A"), job("B"));
      await using worker = world.worker();
      worker.start();
      await clock.advanceUntil(() => jobs.cleanupJobs.length === 1);
      expect(world.cleaned).toEqual(["A", "B"]);
      expect(jobs.cleanupJobs[0]?.identifier).toBe("BAD");
      expect(world.lines.some((line) => line.includes("BAD") && line.includes("level=warn"))).toBe(true);
    },
  );
});
