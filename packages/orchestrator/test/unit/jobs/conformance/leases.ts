import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../../support/issues.ts";
import { COMPLETED, tokens, totals } from "../../../support/runs.ts";
import {
  claimState,
  HERE,
  LEASE_MS,
  nextDue,
  only,
  retry,
  settled,
  started,
  THERE,
  UNLIMITED,
  wanted,
  type Bench,
} from "./bench.ts";

export function leaseTests(bench: () => Bench): void {
  verifies("fleet.jobs.lease", "a run goes on as long as its lease is renewed", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    const grant = await started(one, scope, issue(1));
    for (let renewals = 0; renewals < 4; renewals++) {
      await bench().pass(20_000);
      expect((await one.renew([grant])).held).toContain(grant);
      expect(await other.pull(scope, THERE, 5, LEASE_MS)).toEqual([]);
    }
    expect(await one.holds(grant)).toBe(true);
    expect(await settled(one, grant)).toBe("settled");
    expect((await one.renew([grant])).held.size).toBe(0);
  });

  verifies(
    ["fleet.jobs.lease", "fleet.jobs.fence", "security.s108"],
    "a run whose lease is over goes to another host, and the late worker changes nothing",
    async () => {
      const { one, other } = bench();
      const scope = await bench().scope();
      const late = await started(one, scope, issue(1));
      await one.report(late, { tokens: tokens(10), threadId: "thread-1", workspacePath: "/work/1" });
      await bench().pass(LEASE_MS + 6000);
      expect(await one.holds(late)).toBe(false);
      const next = only(await other.pull(scope, THERE, 5, LEASE_MS));
      expect(next.claim).toMatchObject({
        attempt: 1,
        retryKind: "moved",
        host: "there",
        workspacePath: null,
      });
      expect(next.claim.spent.totalTokens).toBe(10);
      const before = await one.read(scope);
      expect((await one.renew([late])).held.size).toBe(0);
      await one.report(late, { tokens: tokens(99), lastMessage: "late" });
      expect(await one.settle(late, COMPLETED, totals(), () => expect.unreachable())).toBe("fenced");
      const after = await one.read(scope);
      expect({ ...after, at: "" }).toEqual({ ...before, at: "" });
      expect(after.totals.totalTokens).toBe(10);
      expect(await other.holds(next)).toBe(true);
      const { runs, events } = await one.issue(scope, "id-1");
      expect(runs).toMatchObject([{ outcome: "lost", threadId: "thread-1" }]);
      expect(events.map(({ event }) => event)).toContain("run.lost");
    },
  );

  verifies(
    "fleet.jobs.lease",
    "a host that is back takes its own lost run, with workspace and thread",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      const late = await started(one, scope, issue(1));
      await one.report(late, { threadId: "thread-1", workspacePath: "/work/1" });
      await bench().pass(LEASE_MS + 6000);
      const next = only(await one.pull(scope, HERE, 5, LEASE_MS));
      expect(next.claim).toMatchObject({
        attempt: 1,
        retryKind: "lost",
        workspacePath: "/work/1",
        threadId: "thread-1",
        failures: 0,
      });
    },
  );

  verifies("fleet.jobs.lease", "the lease of a worker is its own", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    await one.admit(scope, wanted(issue(1), issue(2)), UNLIMITED);
    const short = only(await one.pull(scope, HERE, 1, 10_000));
    const long = only(await one.pull(scope, HERE, 1, 120_000));
    await bench().pass(16_000);
    expect(await one.holds(short)).toBe(false);
    expect(await one.holds(long)).toBe(true);
    expect((await one.renew([short, long])).held).toEqual(new Set([long]));
  });

  verifies("fleet.jobs.retry", "a retry is due at its time, for one ticker", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    const grant = await started(one, scope, issue(1));
    await settled(one, grant, retry(10_000));
    expect(await one.due(scope, 10)).toEqual([]);
    await bench().pass(10_000);
    const found = await Promise.all([one.due(scope, 10), other.due(scope, 10), one.due(scope, 10)]);
    const due = only(found.flat());
    expect(due.claim).toMatchObject({ state: "retrying", attempt: 1, retryKind: "continuation" });
    await one.postpone(due, { attempt: 2, delayMs: 5000, error: "no available orchestrator slots" });
    await one.postpone(due, { attempt: 3, delayMs: 0, error: "twice" });
    expect(await one.due(scope, 10)).toEqual([]);
    await bench().pass(5000);
    const again = await nextDue(one, scope);
    expect(again.claim).toMatchObject({ attempt: 2, lastError: "no available orchestrator slots" });
    expect(only(await one.admit(scope, [{ issue: issue(1), due }], UNLIMITED)).refused).toBe("gone");
    expect(only(await one.admit(scope, [{ issue: issue(1), due: again }], UNLIMITED)).refused).toBeNull();
    expect(await claimState(one, scope, "id-1")).toBe("queued");
  });

  verifies("fleet.jobs.retry", "a due retry whose ticker dies is due again", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    await settled(one, await started(one, scope, issue(1)));
    const dead = await nextDue(one, scope);
    await bench().pass(16 * 60_000);
    const due = await nextDue(other, scope);
    await one.release(scope, "id-1", { why: "late", cleanup: true, due: dead });
    expect(await claimState(one, scope, "id-1")).toBe("retrying");
    await other.release(scope, "id-1", { why: "gone", cleanup: false, due });
    expect(await claimState(one, scope, "id-1")).toBeUndefined();
  });

  verifies("fleet.jobs.hosts", "runs that wait for a dead host move to the others", async () => {
    const { one, other } = bench();
    const scope = await bench().scope();
    const dead = { name: "dead host\u0000", slots: 3 };
    await one.seen(dead, { running: 0, draining: false });
    await settled(one, await started(one, scope, issue(1), dead));
    await one.admit(scope, [{ issue: issue(1), due: await nextDue(one, scope) }], UNLIMITED);
    await other.seen(HERE, { running: 0, draining: true });
    expect(await other.pull(scope, HERE, 5, LEASE_MS)).toEqual([]);
    await bench().pass(61_000);
    await other.seen(HERE, { running: 0, draining: true });
    const grant = only(await other.pull(scope, HERE, 5, LEASE_MS));
    expect(grant.claim).toMatchObject({
      retryKind: "moved",
      workspacePath: null,
      threadId: null,
      host: "here",
    });
    const { hosts, draining } = await one.read(scope);
    expect(hosts.map(({ name }) => name)).toContain(dead.name);
    expect(draining).toBe(true);
  });

  verifies("fleet.jobs.cleanup", "the host that has a workspace removes it, once", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    const grant = await started(one, scope, issue(1));
    await settled(one, grant, () => ({ to: "released", why: "terminal", cleanup: true }));
    expect(await one.cleanups(scope, "there", 10)).toEqual([]);
    const cleanup = only(await one.cleanups(scope, "here", 10));
    expect(cleanup).toMatchObject({ identifier: "ABC-1", workspacePath: "/work/it", workflowVersion: "v1" });
    expect(await one.cleanups(scope, "here", 10)).toEqual([]);
    // The host dies before it is done.
    await bench().pass(16 * 60_000);
    const again = only(await one.cleanups(scope, "here", 10));
    await one.cleaned(cleanup);
    await one.cleaned(again);
    await bench().pass(16 * 60_000);
    expect(await one.cleanups(scope, "here", 10)).toEqual([]);
    // Nothing is left to remove.
    await one.release(scope, "id-1", { why: "terminal", cleanup: true });
    expect(await one.cleanups(scope, "here", 10)).toEqual([]);
  });

  verifies("fleet.jobs.cleanup", "a workspace that was kept is used again, or removed later", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    for (const number of [1, 2])
      await settled(one, await started(one, scope, issue(number)), () => ({
        to: "released",
        why: "inactive",
        cleanup: false,
      }));
    const again = await started(one, scope, issue(1));
    expect(again.claim).toMatchObject({
      attempt: null,
      host: "here",
      workspacePath: "/work/it",
      threadId: null,
    });
    await one.release(scope, "id-2", { why: "terminal", cleanup: true });
    expect(only(await one.cleanups(scope, "here", 10)).identifier).toBe("ABC-2");
  });
}
