import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../../support/issues.ts";
import { totals } from "../../../support/runs.ts";
import {
  claimState,
  HERE,
  LEASE_MS,
  nextDue,
  only,
  retry,
  settled,
  started,
  UNLIMITED,
  wanted,
  type Bench,
} from "./bench.ts";

const QUESTION = {
  kind: "input",
  text: "Which colour?",
  method: "item/tool/requestUserInput",
  params: { n: 1 },
  askedAt: "2026-01-01T00:00:00.000Z",
} as const;
const STOP = { kind: "stop", by: "ann", reason: "wrong issue" } as const;
const RETRY = { kind: "retry", by: "ann" } as const;

export function orderTests(bench: () => Bench): void {
  verifies(
    "fleet.jobs.orders",
    "a run that is ordered to stop keeps its claim until its worker obeys",
    async () => {
      const { one, other } = bench();
      const scope = await bench().scope();
      const grant = await started(one, scope, issue(1));
      await other.ask(scope, "id-1", STOP);
      const { held, orders } = await one.renew([grant]);
      expect(held).toContain(grant);
      expect(orders.get(grant)).toEqual({ kind: "stop", by: "ann", reason: "wrong issue" });
      await other.reconcile(scope, [{ issueId: "id-1", why: "terminal" }]);
      expect((await one.renew([grant])).orders.get(grant)?.kind).toBe("stop");
      expect(await other.pull(scope, HERE, 5, LEASE_MS)).toEqual([]);
      // The run ended by itself first.
      await settled(one, grant);
      expect((await one.issue(scope, "id-1")).claim).toMatchObject({
        state: "blocked",
        reason: { kind: "stopped", by: "ann" },
      });
    },
  );

  verifies("fleet.jobs.orders", "an order to stop outlives the run that it was given to", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    await started(one, scope, issue(1));
    await one.ask(scope, "id-1", STOP);
    await bench().pass(LEASE_MS + 6000);
    expect(await one.pull(scope, HERE, 5, LEASE_MS)).toEqual([]);
    expect(await claimState(one, scope, "id-1")).toBe("blocked");
  });

  verifies(
    "fleet.jobs.orders",
    "a queued or waiting issue stops at once, and runs again by `retry`",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      await one.admit(scope, wanted(issue(1)), UNLIMITED);
      await settled(one, await started(one, scope, issue(2)), retry(60_000)).catch(() => {});
      await one.ask(scope, "id-1", STOP);
      expect(await claimState(one, scope, "id-1")).toBe("blocked");
      const claims = (await one.read(scope)).claims.map(({ state }) => state);
      expect(claims).toContain("blocked");
      await one.ask(scope, "id-1", RETRY);
      const due = await one.due(scope, 10);
      expect(due.map(({ claim }) => claim.issueId)).toEqual(["id-1"]);
      // The order replaces the job that a ticker has taken.
      await one.ask(scope, "id-1", RETRY);
      expect(await one.admit(scope, [{ issue: issue(1), due: only(due) }], UNLIMITED)).toMatchObject([
        { refused: "gone" },
      ]);
      await one.admit(scope, [{ issue: issue(1), due: await nextDue(one, scope) }], UNLIMITED);
      expect(await claimState(one, scope, "id-1")).toBe("queued");
    },
  );

  verifies("fleet.jobs.orders", "an answer frees a question, and the next run receives both", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    const grant = await started(one, scope, issue(1));
    const began = totals({ threadId: "thread" });
    await one.settle(grant, { kind: "question", question: QUESTION }, began, () => ({
      to: "blocked",
      reason: { kind: "question", question: QUESTION },
      error: "the agent asked",
    }));
    const answer = { kind: "answer", by: "ann", answer: { text: "Blue\u0000" } } as const;
    await one.ask(scope, "id-1", answer);
    await expect(one.ask(scope, "id-1", answer)).rejects.toMatchObject({ code: "invalid_order" });
    await one.admit(scope, [{ issue: issue(1), due: await nextDue(one, scope) }], UNLIMITED);
    const next = only(await one.pull(scope, HERE, 1, LEASE_MS));
    const answered = { question: QUESTION, answer: { text: "Blue\u0000" } };
    expect(next.answered).toEqual(answered);
    expect(next.claim).toMatchObject({ attempt: 1, retryKind: "continuation", lastError: null });
    // A run that is lost has perhaps not used it.
    await bench().pass(LEASE_MS + 6000);
    const again = only(await one.pull(scope, HERE, 1, LEASE_MS));
    expect(again.answered).toEqual(answered);
    await settled(one, again);
    await one.admit(scope, [{ issue: issue(1), due: await nextDue(one, scope) }], UNLIMITED);
    expect(only(await one.pull(scope, HERE, 1, LEASE_MS)).answered).toBeNull();
  });

  verifies("fleet.jobs.orders", "orders that do not fit are refused, and change nothing", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    await expect(one.ask(scope, "unknown", STOP)).rejects.toMatchObject({ code: "issue_not_found" });
    await expect(one.ask(scope, "unknown", { kind: "clean", by: "ann" })).rejects.toMatchObject({
      code: "issue_not_found",
    });
    await started(one, scope, issue(1));
    const before = await one.issue(scope, "id-1");
    await expect(one.ask(scope, "id-1", RETRY)).rejects.toMatchObject({ code: "invalid_order" });
    await expect(one.ask(scope, "id-1", { kind: "clean", by: "ann" })).rejects.toMatchObject({
      code: "invalid_order",
    });
    await expect(one.release(scope, "id-1", { why: "gone", cleanup: true })).rejects.toMatchObject({
      code: "invalid_order",
    });
    expect(await one.issue(scope, "id-1")).toEqual(before);
    await expect(one.read("unknown scope")).rejects.toMatchObject({ code: "fleet_not_running" });
  });

  verifies("fleet.jobs.orders", "`clean` ends a claim and removes its workspace", async () => {
    const { one } = bench();
    const scope = await bench().scope();
    await settled(one, await started(one, scope, issue(1)), retry(60_000));
    await one.ask(scope, "id-1", { kind: "clean", by: "ann" });
    expect((await one.read(scope)).claims).toEqual([]);
    expect(await one.cleanups(scope, "here", 10)).toHaveLength(1);
    await bench().pass(60_000);
    expect(await one.due(scope, 10)).toEqual([]);
  });

  verifies(
    "fleet.jobs.refresh",
    "a change in the tracker frees a blocked issue, and nothing else does",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      const first = issue(1, { labels: ["a", "b"], updated_at: "2026-01-01T00:00:00Z" });
      const block = { to: "blocked", reason: { kind: "no_progress", sessions: 10 }, error: null } as const;
      await settled(one, await started(one, scope, first), () => block);
      await one.refresh(scope, [first, issue(2)]);
      await one.refresh(scope, [{ ...first, labels: ["b", "a"], priority: 1, url: "http://x" }]);
      expect((await one.issue(scope, "id-1")).claim).toMatchObject({
        state: "blocked",
        issue: { priority: 1 },
      });
      await one.refresh(scope, [{ ...first, labels: ["a"] }]);
      expect((await one.issue(scope, "id-1")).claim).toMatchObject({ state: "retrying", sessions: 0 });
      expect((await one.issue(scope, "id-2")).claim).toBeNull();
    },
  );

  verifies(
    "fleet.jobs.refresh",
    "a run that must end because of the tracker is ordered to stop",
    async () => {
      const { one } = bench();
      const scope = await bench().scope();
      const grant = await started(one, scope, issue(1));
      await one.admit(scope, wanted(issue(2)), UNLIMITED);
      await one.reconcile(scope, [
        { issueId: "id-1", why: "terminal" },
        { issueId: "id-2", why: "gone" },
        { issueId: "id-3", why: "gone" },
      ]);
      expect((await one.renew([grant])).orders.get(grant)).toEqual({ kind: "reconcile", why: "terminal" });
      expect(await claimState(one, scope, "id-2")).toBe("queued");
    },
  );

  verifies("fleet.jobs.pause", "a scope that is paused or waits gives no slots and no runs", async () => {
    const { one, other, clock } = bench();
    const scope = await bench().scope();
    const grant = await started(one, scope, issue(1));
    await one.admit(scope, wanted(issue(2)), UNLIMITED);
    await other.pause(scope, "ann", "lunch\u0000");
    expect(only(await one.admit(scope, wanted(issue(3)), UNLIMITED)).refused).toBe("paused");
    expect(await one.pull(scope, HERE, 5, LEASE_MS)).toEqual([]);
    expect((await one.renew([grant])).held.size).toBe(1);
    expect((await one.read(scope)).paused).toMatchObject({ by: "ann", reason: "lunch\u0000" });
    await one.resume(scope, "bob");
    await one.wait(scope, new Date(clock.now() + 20_000).toISOString(), "usage limit");
    expect(only(await one.admit(scope, wanted(issue(3)), UNLIMITED)).refused).toBe("waiting");
    expect((await one.read(scope)).waiting?.why).toBe("usage limit");
    expect(await one.pull(scope, HERE, 5, LEASE_MS)).toEqual([]);
    await bench().pass(21_000);
    expect((await one.read(scope)).waiting).toBeNull();
    expect(await one.pull(scope, HERE, 5, LEASE_MS)).toHaveLength(1);
    const events = (await one.lastEvents(scope, 100)).map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(["scope.paused", "scope.resumed", "scope.waiting"]));
  });
}
