import { afterAll, beforeAll, describe, expect } from "vitest";
import {
  explainIssue,
  Loop,
  TrackerError,
  type JobStore,
  type NewIssue,
} from "@codexwright/orchestrator/internal";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { TestClock } from "../../support/test-clock.ts";
import { embeddedStore, TickWorld } from "../../support/tick-world.ts";

const TODO = "Todo";

function todo(id: string, priority: number | null = null): NewIssue {
  return { identifier: id, title: id, state: TODO, priority };
}

describe("the tick", () => {
  let store: JobStore & AsyncDisposable;

  beforeAll(async () => {
    store = await embeddedStore();
  });

  afterAll(async () => await store[Symbol.asyncDispose]());

  verifies(
    "fleet.tick.sequence",
    "stops and releases first, then claims in the order of dispatch",
    async () => {
      await using world = await TickWorld.open(store, [todo("A", 1), todo("B", 2), todo("C", 3)], {
        maxConcurrentAgents: 2,
      });
      expect(await world.tick()).toMatchObject({
        outcome: "done",
        candidates: 3,
        admitted: 2,
        waitsForSlot: true,
      });
      expect(await world.claims()).toEqual({ A: "queued", B: "queued" });
      const [a] = await world.pull(1);
      expect(a?.claim.issueId).toBe("A");
      world.issues.change("A", { state: "Done" });
      world.issues.change("B", { state: "Backlog" });
      world.issues.put(todo("D", 1));
      // B has freed its slot in the same tick, and A still has its own.
      expect(await world.tick()).toMatchObject({ admitted: 1, stopped: 1, released: 1 });
      expect(await world.claims()).toEqual({ A: "running", D: "queued" });
      const { orders } = await store.renew(a === undefined ? [] : [a]);
      expect([...orders.values()]).toEqual([{ kind: "reconcile", why: "terminal" }]);
      expect(
        world.lines.some((line) => line.includes("issue_id=D") && line.includes("outcome=admitted")),
      ).toBe(true);
    },
  );

  verifies(
    ["fleet.tick.sequence", "symphony.17.4.nothing-runs"],
    "does not ask about claims if there are none",
    async () => {
      await using world = await TickWorld.open(store, []);
      await world.tick();
      const first = world.issues.requests;
      await world.tick();
      expect(world.issues.requests - first).toBe(1);
    },
  );

  verifies(
    "fleet.tick.tracker-error",
    "keeps everything if the tracker fails, and shows the error",
    async () => {
      await using world = await TickWorld.open(store, [todo("A"), todo("B")], { maxConcurrentAgents: 1 });
      await world.tick();
      await world.pull(1);
      for (let count = 0; count < 2; count++)
        world.issues.failNext(new TrackerError("tracker_status", "it answered 502"));
      expect(await world.tick()).toMatchObject({ outcome: "failed", stopped: 0, released: 0 });
      expect(await world.claims()).toEqual({ A: "running" });
      expect((await store.read(world.scope)).tick.error).toContain("502");
      expect(await world.tick()).toMatchObject({ outcome: "done", reason: null });
      expect((await store.read(world.scope)).tick.error).toBeNull();
    },
  );

  verifies("fleet.tick.tracker-error", "waits if the tracker limits requests", async () => {
    await using world = await TickWorld.open(store, [todo("A")]);
    await world.tick();
    const retryAt = Date.now() + 3_600_000;
    const asked = world.issues.requests;
    world.issues.failNext(new TrackerError("tracker_rate_limited", "slow down", { retryAt }));
    expect(await world.tick()).toMatchObject({ outcome: "failed" });
    expect(world.issues.requests - asked).toBe(1);
    const { waiting } = await store.read(world.scope);
    expect(Date.parse(waiting?.until ?? "")).toBe(retryAt);
    world.issues.put(todo("B"));
    expect(await world.tick()).toMatchObject({ admitted: 0 });
  });

  verifies("fleet.tick.held", "reconciles and dispatches nothing if runs cannot begin", async () => {
    await using world = await TickWorld.open(store, [todo("A")]);
    await world.tick();
    world.verdicts = [{ rule: "workflow_valid", ok: false, why: "line 3 is wrong" }];
    world.issues.put(todo("B"));
    world.issues.change("A", { state: "Done" });
    expect(await world.tick()).toMatchObject({ outcome: "held", reason: "line 3 is wrong", released: 1 });
    expect(await world.claims()).toEqual({});
    world.verdicts = [];
    await using ticker = world.ticker();
    ticker.drain();
    world.issues.change("B", { title: "still there" });
    expect(await world.tick()).toMatchObject({ outcome: "held", admitted: 0 });
  });

  verifies(
    "fleet.tick.unlocked",
    "the state can be read and runs are stored while the tracker hangs",
    async () => {
      await using world = await TickWorld.open(store, [todo("A"), todo("B")], { maxConcurrentAgents: 1 });
      await world.tick();
      const [grant] = await world.pull(1);
      const held = world.issues.holdNext("byIds");
      const ticking = world.tick();
      await held.arrived;
      expect(await world.claims()).toEqual({ A: "running" });
      if (grant) await world.retryNow(grant);
      expect(await world.claims()).toEqual({ A: "retrying" });
      held.release();
      await ticking;
    },
  );

  verifies("fleet.tick.terminal", "removes the workspaces of finished issues at the start", async () => {
    await using world = await TickWorld.open(store, [todo("A"), { ...todo("B"), state: "Done" }]);
    await world.tick();
    expect(world.removed).toEqual(["B"]);
    await world.tick();
    expect(world.removed).toEqual(["B"]);

    await using other = await TickWorld.open(store, [todo("C")]);
    other.issues.failNext(new TrackerError("tracker_request", "no connection"));
    expect(await other.tick()).toMatchObject({ outcome: "done", admitted: 1 });
    expect(other.lines.some((line) => line.includes("no connection"))).toBe(true);
  });

  verifies(
    ["fleet.tick.retries", "symphony.17.4.slots"],
    "looks at a retry that is due with the issue as it is now",
    async () => {
      await using world = await TickWorld.open(
        store,
        ["A", "B", "C"].map((id) => todo(id)),
        {
          maxConcurrentAgents: 3,
        },
      );
      await world.tick();
      const grants = await world.pull(3);
      expect(grants).toHaveLength(3);
      // The limit is lowered: one slot for the three retries.
      world.settings = { ...world.settings, agent: { ...world.settings.agent, maxConcurrentAgents: 1 } };
      world.issues.change("B", { state: "Done" });
      for (const grant of grants) await world.retryNow(grant);
      await using ticker = world.ticker();
      ticker.retry();
      const settled = async (): Promise<boolean> => {
        const { claims } = await store.read(world.scope);
        return (
          claims.filter(({ state }) => state === "queued").length === 1 &&
          claims.some(({ lastError }) => lastError?.includes("no available orchestrator slots")) &&
          claims.every(({ issueId }) => issueId !== "B")
        );
      };
      while (!(await settled())) await new Promise((resolve) => setTimeout(resolve, 10));
      const [cleanup] = await store.cleanups(world.scope, "host-1", 5);
      expect(cleanup).toMatchObject({ identifier: "B", workspacePath: "/w/A" });
    },
  );

  verifies("fleet.tick.retries", "gives slots to retries that are due before new issues", async () => {
    await using world = await TickWorld.open(store, [todo("A")], { maxConcurrentAgents: 1 });
    await world.tick();
    for (const grant of await world.pull(1)) await world.retryNow(grant);
    world.issues.put({ ...todo("B"), priority: 1 });
    await using ticker = world.ticker();
    const before = world.reports.length;
    ticker.refresh();
    while (world.reports.length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    const { claims } = await store.read(world.scope);
    expect(claims.map(({ issueId, state }) => [issueId, state])).toEqual([["A", "queued"]]);
  });

  verifies("fleet.tick.retries", "postpones a retry if the tracker fails", async () => {
    await using world = await TickWorld.open(store, [todo("A")]);
    await world.tick();
    for (const grant of await world.pull(1)) await world.retryNow(grant);
    world.issues.failNext(new TrackerError("tracker_status", "it answered 500"));
    await using ticker = world.ticker();
    ticker.retry();
    const error = async (): Promise<string> => (await store.read(world.scope)).claims[0]?.lastError ?? "";
    while (!(await error()).includes("500")) await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await store.read(world.scope)).claims[0]).toMatchObject({ state: "retrying", attempt: 2 });
  });

  verifies("fleet.tick.explain", "explains issues of every kind, by identifier or id", async () => {
    await using world = await TickWorld.open(
      store,
      [{ ...todo("A", 1), id: "id-a" }, todo("B", 2), { ...todo("C"), state: "Done" }],
      { maxConcurrentAgents: 1 },
    );
    const { signal } = new AbortController();
    const explain = async (name: string) => await explainIssue(world.options(), name, signal);
    expect(await explain("A")).toMatchObject({ issueId: "id-a", eligible: true });
    expect(await explain("id-a")).toMatchObject({ identifier: "A", eligible: true });
    expect((await explain("B"))?.verdicts.filter(({ ok }) => !ok).map(({ rule }) => rule)).toContain(
      "slot_free",
    );
    expect(await explain("C")).toMatchObject({ eligible: false, issue: { state: "Done" } });
    expect(await explain("nothing")).toBeUndefined();
    await world.tick();
    world.issues.remove("id-a");
    expect(await explain("A")).toMatchObject({ issue: null, eligible: false, claim: { state: "queued" } });
  });
});

describe("the time of ticks", () => {
  verifies(
    "fleet.tick.when",
    "is at once, after the interval, and when asked, and never overlaps",
    async () => {
      const clock = new TestClock();
      let interval = 30_000;
      let passes = 0;
      let running = 0;
      let gate: Promise<void> = Promise.resolve();
      const loop = new Loop({
        clock,
        everyMs: () => interval,
        failed: () => {},
        work: async () => {
          expect(++running).toBe(1);
          passes += 1;
          await gate;
          running -= 1;
          if (passes === 2) throw new Error("a pass that fails");
        },
      });
      expect(loop.now()).toEqual({ coalesced: false });
      await clock.advance(29_999);
      expect(passes).toBe(1);
      await clock.advance(1);
      expect(passes).toBe(2);
      let open = (): void => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      loop.now();
      expect([loop.now(), loop.now()]).toEqual([{ coalesced: false }, { coalesced: true }]);
      open();
      await clock.advance(0);
      expect(passes).toBe(4);
      await clock.advance(5_000);
      interval = 6_000;
      loop.rescheduled();
      await clock.advance(999);
      expect(passes).toBe(4);
      await clock.advance(1);
      expect(passes).toBe(5);
      await loop.close();
      await clock.advance(60_000);
      expect(passes).toBe(5);
    },
  );
});
