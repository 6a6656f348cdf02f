import fc from "fast-check";
import { describe, expect } from "vitest";
import {
  byDispatchOrder,
  explain,
  freeInState,
  freeSlots,
  limitsOf,
  planDispatch,
  slotsOf,
  withOneMore,
} from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import {
  anyIssue,
  anySettings,
  anySituation,
  anyState,
  blocked,
  goodIssue,
  issueWith,
  queued,
  retrying,
  running,
  settingsWith,
  situationWith,
  tokens,
} from "./world.ts";

const broken = (verdicts: readonly { rule: string; ok: boolean }[]): string[] =>
  verdicts.filter(({ ok }) => !ok).map(({ rule }) => rule);

describe("eligible issues", () => {
  verifies(
    ["fleet.policy.eligible", "symphony.17.4.not-dispatchable", "symphony.17.4.labels"],
    "meet every rule, and each rule alone can refuse one",
    () => {
      const issue = issueWith({ labels: ["codex"] });
      const settings = settingsWith({
        tracker: { requiredLabels: ["codex"] },
        agent: { maxConcurrentAgents: 2, maxConcurrentAgentsByState: { todo: 1 } },
      });
      const other = issueWith({ id: "2", identifier: "TWO-2", state: "In Progress" });
      const third = issueWith({ id: "3", identifier: "THREE-3", state: " TODO" });
      const good = situationWith({ claims: [running(other)] }, settings);
      expect(planDispatch([issue], good)).toMatchObject([{ eligible: true }]);
      const refusals = [
        ["fields_present", { ...issue, title: " " }, good],
        ["state_active", { ...issue, state: "Backlog" }, good],
        ["dispatchable", { ...issue, dispatchable: false }, good],
        ["labels", { ...issue, labels: ["codex2"] }, good],
        ["unclaimed", issue, situationWith({ claims: [blocked(issue)] }, settings)],
        ["unclaimed", issue, situationWith({ claims: [retrying(issue)] }, settings)],
        ["identifier_unique", { ...issue, id: "4", identifier: "TWO-2" }, good],
        [
          "not_paused",
          issue,
          situationWith({ paused: { by: "me", reason: "lunch", at: "12:00" } }, settings),
        ],
        ["not_draining", issue, situationWith({ draining: true }, settings)],
        [
          "not_waiting",
          issue,
          situationWith({ waiting: { until: "2026-05-01T12:00:01Z", why: "w" } }, settings),
        ],
        ["day_budget", issue, situationWith({ today: tokens(10_000) }, settings)],
        ["state_slot_free", issue, situationWith({ claims: [queued(third)] }, settings)],
        [
          "slot_free",
          issue,
          situationWith({ claims: [running(other), running({ ...other, id: "3" })] }, settings),
        ],
      ] as const;
      for (const [rule, each, situation] of refusals) {
        const [planned] = planDispatch([each], situation);
        expect([rule, planned?.eligible, broken(planned?.verdicts ?? [])]).toEqual([rule, false, [rule]]);
      }
      const both = settingsWith({ tracker: { terminalStates: ["todo"] } });
      expect(broken(planDispatch([issue], situationWith({}, both))[0]?.verdicts ?? [])).toEqual([
        "state_not_terminal",
      ]);
      const full = [{ rule: "disk_space", ok: false, why: "The disk is full." }];
      expect(planDispatch([issue], situationWith({}, settings, full))).toMatchObject([{ eligible: false }]);
    },
  );

  verifies("fleet.policy.eligible", "of issues with one identifier, the first runs", () => {
    const twins = [issueWith({ id: "b", priority: 2 }), issueWith({ id: "a", priority: 1 })];
    const planned = planDispatch(twins, situationWith({}));
    expect(planned.map(({ issue, eligible }) => [issue.id, eligible])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    expect(planned[1]?.verdicts).toContainEqual({
      rule: "identifier_unique",
      ok: false,
      why: 'The issue with the id "a" has the identifier "ONE-1", too.',
    });
    // An issue that does not run does not keep its namesake from running.
    const [first, second] = planDispatch(
      [issueWith({ id: "b", priority: 2 }), issueWith({ id: "a", priority: 1, dispatchable: false })],
      situationWith({}),
    );
    expect([first?.eligible, second?.eligible]).toEqual([false, true]);
    fc.assert(
      fc.property(fc.array(anyIssue, { maxLength: 8 }), anySituation, (issues, situation) => {
        const eligible = planDispatch(issues, situation).filter((each) => each.eligible);
        const names = [...situation.snapshot.claims, ...eligible].map(({ issue }) => issue.identifier);
        const own = eligible.map(({ issue }) => issue.identifier);
        expect(own.filter((name) => names.filter((each) => each === name).length > 1)).toEqual([]);
      }),
    );
  });

  verifies("fleet.policy.eligible", "a blank required label matches no issue", () => {
    const settings = settingsWith({ tracker: { requiredLabels: [""] } });
    const [planned] = planDispatch([issueWith({ labels: [""] })], situationWith({}, settings));
    expect(broken(planned?.verdicts ?? [])).toEqual(["labels"]);
  });

  verifies("fleet.policy.reasons", "any issue in any situation has a reason for each verdict", () => {
    fc.assert(
      fc.property(fc.array(anyIssue, { maxLength: 8 }), anySituation, (issues, situation) => {
        for (const { eligible, verdicts } of planDispatch(issues, situation)) {
          expect(broken(verdicts).length === 0).toBe(eligible);
          expect(new Set(verdicts.map(({ rule }) => rule)).size).toBe(verdicts.length);
          expect(verdicts.every(({ why }) => /^.+\.$/s.test(why))).toBe(true);
        }
      }),
    );
  });
});

describe("the order of dispatch", () => {
  verifies(["fleet.policy.order", "symphony.17.4.order"], "is by priority, age and identifier", () => {
    const order = [
      issueWith({ id: "a", priority: 1, created_at: "2026-02-01T00:00:00Z" }),
      issueWith({ id: "b", priority: 4, created_at: "2026-01-01T00:00:00Z" }),
      // An hour later than the next one, although its text is smaller.
      issueWith({ id: "c", priority: 0, created_at: "2026-01-02T00:30:00+01:00" }),
      issueWith({ id: "d", priority: null, created_at: "2026-01-02T00:00:00Z" }),
      issueWith({ id: "e", priority: 2.5, created_at: null, identifier: "A-10" }),
      issueWith({ id: "f", priority: 5, created_at: "no time", identifier: "A-9" }),
      issueWith({ id: "g", priority: -1, created_at: null, identifier: "B" }),
      issueWith({ id: "h", priority: Number.NaN, created_at: null, identifier: "a" }),
      issueWith({ id: "i", priority: 7, created_at: null, identifier: "ä" }),
    ];
    expect(order.toReversed().toSorted(byDispatchOrder)).toEqual(order);
  });

  verifies("fleet.policy.order", "is total for any issues", () => {
    fc.assert(
      fc.property(anyIssue, anyIssue, anyIssue, (a, b, c) => {
        const ab = byDispatchOrder(a, b);
        expect(Number.isNaN(ab)).toBe(false);
        expect(Math.sign(ab) + Math.sign(byDispatchOrder(b, a))).toBe(0);
        if (ab <= 0 && byDispatchOrder(b, c) <= 0) expect(byDispatchOrder(a, c)).toBeLessThanOrEqual(0);
        if (ab === 0) expect([a.id, a.identifier]).toEqual([b.id, b.identifier]);
      }),
    );
  });
});

describe("slots", () => {
  verifies("fleet.policy.slots", "are counted by state without case, from claims that have one", () => {
    const settings = settingsWith({
      agent: { maxConcurrentAgentsByState: { todo: 2 }, maxConcurrentAgents: 3 },
    });
    const claims = [
      running(issueWith({ id: "1", state: "TODO " })),
      queued(issueWith({ id: "2" })),
      retrying(issueWith({ id: "3" })),
      blocked(issueWith({ id: "4" })),
    ];
    const slots = slotsOf(limitsOf(settings), claims);
    expect(freeSlots(slots)).toBe(1);
    expect(freeInState(slots, "Todo")).toEqual({ limit: 2, free: 0 });
    expect(freeInState(slots, "constructor")).toEqual({ limit: 3, free: 3 });
  });

  verifies("fleet.policy.slots", "are never negative, and dispatch never takes more than there are", () => {
    fc.assert(
      fc.property(fc.array(goodIssue, { maxLength: 20 }), anySituation, (issues, situation) => {
        const limits = limitsOf(situation.settings);
        const before = slotsOf(limits, situation.snapshot.claims);
        const started = planDispatch(issues, situation).filter(({ eligible }) => eligible);
        expect(started.length).toBeLessThanOrEqual(freeSlots(before));
        for (const [state, limit] of Object.entries(limits.byState)) {
          const ofState = started.filter(({ issue }) => issue.state.trim().toLowerCase() === state);
          expect(ofState.length).toBeLessThanOrEqual(Math.min(limit, freeInState(before, state).free));
        }
        expect(new Set(started.map(({ issue }) => issue.id)).size).toBe(started.length);
      }),
    );
    fc.assert(
      fc.property(fc.array(anyState), anySettings, (states, settings) => {
        let slots = slotsOf(limitsOf(settings), []);
        for (const state of states) slots = withOneMore(slots, state);
        expect(freeSlots(slots)).toBeGreaterThanOrEqual(0);
        for (const state of states) expect(freeInState(slots, state).free).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("explain", () => {
  verifies("fleet.policy.explain", "agrees with dispatch about any issue in any situation", () => {
    let eligible = 0;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(goodIssue, goodIssue, anyIssue), { minLength: 1, maxLength: 10 }),
        anySituation,
        (issues, situation) => {
          const candidates = [...new Map(issues.map((issue) => [issue.id, issue])).values()];
          for (const planned of planDispatch(candidates, situation)) {
            const { issue } = planned;
            const subject = { issueId: issue.id, identifier: issue.identifier, issue };
            const explained = explain(subject, candidates, situation);
            expect(explained).toMatchObject({ eligible: planned.eligible, verdicts: planned.verdicts });
            expect(explained.next.length).toBeGreaterThan(0);
            expect(explained.next.every((text) => text !== "")).toBe(true);
            eligible += planned.eligible ? 1 : 0;
          }
        },
      ),
    );
    // The property must not hold only because nothing was eligible.
    expect(eligible).toBeGreaterThan(0);
  });

  verifies("fleet.policy.explain", "says what would change it", () => {
    const issue = issueWith({ state: "Backlog" });
    const subject = { issueId: "1", identifier: "ONE-1" };
    expect(explain({ ...subject, issue: null }, [], situationWith({}))).toMatchObject({
      eligible: false,
      verdicts: [{ rule: "visible", ok: false }],
    });
    expect(explain({ ...subject, issue }, [], situationWith({})).next).toEqual([
      'Move the issue to one of the active states: "Todo", "In Progress".',
    ]);
    const claimed = issueWith({});
    const explained = explain(
      { ...subject, issue: claimed },
      [],
      situationWith({ claims: [blocked(claimed)] }),
    );
    expect(explained.claim?.state).toBe("blocked");
    expect(explained.next).toEqual(["Order a retry, or change the issue in the tracker."]);
    expect(explain({ ...subject, issue: claimed }, [], situationWith({})).next).toEqual([
      "The next tick starts a run.",
    ]);
  });
});
