import fc from "fast-check";
import { describe, expect } from "vitest";
import { backoffMs, decide, type Outcome, type Transition } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import {
  anyIssue,
  anySettings,
  goodIssue,
  issueWith,
  NOW,
  running,
  settingsWith,
  tokens,
  totalsWith,
} from "./world.ts";

const ISSUE = issueWith({});
const SETTINGS = settingsWith({});

function decided(
  outcome: Outcome,
  claim: Parameters<typeof running>[1] = {},
  settings = SETTINGS,
  used = 1,
): Transition {
  return decide(running(ISSUE, claim), outcome, totalsWith(used), settings, NOW);
}

const FAILED: Outcome = { kind: "failed", code: "turn_failed", message: "no" };

verifies(
  ["fleet.policy.backoff", "symphony.17.4.backoff", "symphony.17.4.cap"],
  "doubles from 10 s to the limit, and never falls",
  () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt, SETTINGS))).toEqual([
      10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), anySettings, (attempt, settings) => {
        const delay = backoffMs(attempt, settings);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(settings.agent.maxRetryBackoffMs);
        expect(backoffMs(attempt + 1, settings)).toBeGreaterThanOrEqual(delay);
      }),
    );
  },
);

describe("after a normal end", () => {
  verifies(
    ["fleet.policy.completed", "fleet.policy.backoff", "symphony.17.4.continuation"],
    "an active issue goes on after 1 s",
    () => {
      expect(decided({ kind: "completed", issue: ISSUE }, { attempt: 4, failures: 3, sessions: 2 })).toEqual({
        to: "retrying",
        attempt: 1,
        retryKind: "continuation",
        delayMs: 1000,
        error: null,
        failures: 0,
        sessions: 3,
      });
    },
  );

  verifies(
    "fleet.policy.completed",
    "an issue that is done is released, and only a terminal one cleaned",
    () => {
      const settings = settingsWith({ tracker: { requiredLabels: ["codex"] } });
      const after = (issue: typeof ISSUE | null): Transition =>
        decided({ kind: "completed", issue }, {}, settings);
      expect(after({ ...ISSUE, state: " done" })).toMatchObject({ to: "released", cleanup: true });
      expect(after({ ...ISSUE, state: "Backlog" })).toMatchObject({ to: "released", cleanup: false });
      expect(after(ISSUE)).toMatchObject({ to: "released", cleanup: false });
      expect(after({ ...ISSUE, labels: ["codex"], dispatchable: false })).toMatchObject({
        to: "released",
        cleanup: false,
      });
      expect(after(null)).toMatchObject({ to: "released", cleanup: false });
    },
  );

  verifies(
    "fleet.policy.progress",
    "an issue that never changes is blocked, one that changes goes on",
    () => {
      const settings = settingsWith({ agent: { maxSessions: 3 } });
      const end: Outcome = { kind: "completed", issue: ISSUE };
      expect(decided(end, { sessions: 1 }, settings)).toMatchObject({ to: "retrying", sessions: 2 });
      expect(decided(end, { sessions: 2 }, settings)).toEqual({
        to: "blocked",
        reason: { kind: "no_progress", sessions: 3 },
        error: null,
      });
      const changed: Outcome = { kind: "completed", issue: { ...ISSUE, labels: ["new"] } };
      expect(decided(changed, { sessions: 2 }, settings)).toMatchObject({ to: "retrying", sessions: 0 });
      const one = settingsWith({ agent: { maxSessions: 1 } });
      expect(decided(changed, {}, one)).toMatchObject({ to: "retrying" });
      expect(decided(FAILED, { sessions: 2 }, settings)).toMatchObject({ to: "retrying", sessions: 2 });
    },
  );
});

describe("after a failure", () => {
  verifies(
    ["fleet.policy.failed", "symphony.17.4.backoff"],
    "the next attempt follows, until there were too many in a row",
    () => {
      expect(decided(FAILED)).toEqual({
        to: "retrying",
        attempt: 1,
        retryKind: "failure",
        delayMs: 10_000,
        error: "turn_failed: no",
        failures: 1,
        sessions: 0,
      });
      expect(decided(FAILED, { attempt: 2, failures: 2 })).toMatchObject({ attempt: 3, delayMs: 40_000 });
      expect(decided(FAILED, { attempt: 20, failures: 9 })).toEqual({
        to: "blocked",
        reason: { kind: "max_attempts", attempts: 10 },
        error: "turn_failed: no",
      });
    },
  );

  verifies("fleet.policy.failed", "an error of 10 MB is shortened", () => {
    const after = decided({ ...FAILED, message: "😀".repeat(2_500_000) });
    expect(after.to === "retrying" && after.error?.length).toBeLessThan(2100);
    expect(after.to === "retrying" && after.error).not.toMatch(/\uD83D(?!\uDE00)/);
  });
});

describe("budgets and limits", () => {
  verifies("fleet.policy.budget", "an issue that used its tokens is blocked, however its run ended", () => {
    const reason = { kind: "issue_budget", tokens: 1000, limit: 1000 };
    const over = { kind: "over_budget", budget: "issue", tokens: 1000, limit: 1000 } as const;
    const spent = { spent: tokens(900) };
    expect(decided(over)).toMatchObject({ to: "blocked", reason });
    expect(decided({ kind: "completed", issue: ISSUE }, spent, SETTINGS, 100)).toMatchObject({ reason });
    expect(decided(FAILED, spent, SETTINGS, 100)).toMatchObject({ reason, error: "turn_failed: no" });
    expect(decided(FAILED, spent, SETTINGS, 99)).toMatchObject({ to: "retrying" });
    const free = settingsWith({ budget: { issueTokens: null } });
    expect(decided(FAILED, spent, free, 1_000_000)).toMatchObject({ to: "retrying" });
  });

  verifies("fleet.policy.budget", "the budget of the day ends with the day and costs no attempt", () => {
    const over = { kind: "over_budget", budget: "day", tokens: 9, limit: 9 } as const;
    expect(decided(over, { attempt: 3, failures: 2, sessions: 1 })).toMatchObject({
      to: "retrying",
      attempt: 3,
      failures: 2,
      sessions: 1,
      delayMs: 12 * 3_600_000,
    });
  });

  verifies(
    "fleet.policy.limited",
    "a usage limit is waited for by the whole fleet and costs no attempt",
    () => {
      const limited = (retryAt: string): Transition =>
        decided({ kind: "limited", retryAt, message: "try later" }, { attempt: 2, failures: 9 });
      expect(limited("2026-05-01T13:00:00.000Z")).toEqual({
        to: "retrying",
        attempt: 2,
        retryKind: "failure",
        delayMs: 3_600_000,
        error: "limited: try later",
        failures: 9,
        sessions: 0,
        scopeWaitsUntil: "2026-05-01T13:00:00.000Z",
      });
      expect(limited("2026-05-01T11:00:00.000Z")).toMatchObject({ delayMs: 1000 });
      expect(limited("tomorrow")).toMatchObject({ delayMs: 300_000 });
      expect(limited("+275760-09-13T00:00:00.000Z")).toMatchObject({ delayMs: 8 * 86_400_000 });
    },
  );
});

verifies("fleet.policy.stopped", "why a run was stopped decides what becomes of its claim", () => {
  const stopped = (why: Extract<Outcome, { kind: "stopped" }>["why"]): Transition =>
    decided({ kind: "stopped", why, by: "me", reason: "r" }, { attempt: 2, failures: 1, sessions: 1 });
  expect(stopped("terminal")).toMatchObject({ to: "released", cleanup: true });
  for (const why of ["inactive", "unroutable", "gone"] as const) {
    expect(stopped(why)).toMatchObject({ to: "released", cleanup: false });
  }
  expect(stopped("operator")).toMatchObject({ reason: { kind: "stopped", by: "me", reason: "r" } });
  const uncounted = { to: "retrying", attempt: 2, failures: 1, sessions: 1 };
  expect(stopped("drain")).toMatchObject({ ...uncounted, retryKind: "continuation" });
  expect(stopped("fenced")).toMatchObject({ ...uncounted, retryKind: "lost" });
  expect(stopped("stalled")).toMatchObject({ retryKind: "failure", failures: 2, error: "stalled: r" });
  const question = {
    kind: "input",
    text: "Which one?",
    method: "m",
    params: {},
    askedAt: "2026-05-01T12:00:00Z",
  } as const;
  expect(decided({ kind: "question", question })).toEqual({
    to: "blocked",
    reason: { kind: "question", question },
    error: `the agent asked: ${question.text}`,
  });
});

verifies("fleet.policy.stale", "an issue that changed before its run began is released", () => {
  const stale = (issue: typeof ISSUE | null): Transition => decided({ kind: "stale", issue });
  expect(stale(null)).toMatchObject({ to: "released", cleanup: false });
  expect(stale({ ...ISSUE, state: "Done" })).toMatchObject({ to: "released", cleanup: true });
  expect(stale({ ...ISSUE, state: "Backlog" })).toMatchObject({ to: "released", cleanup: false });
  expect(stale(ISSUE)).toMatchObject({ to: "released", cleanup: false });
});

const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ kind: fc.constant("completed" as const), issue: fc.option(fc.oneof(anyIssue, goodIssue)) }),
  fc.constant(FAILED),
  fc.record({
    kind: fc.constant("stopped" as const),
    why: fc.constantFrom(
      ...(["terminal", "inactive", "unroutable", "gone", "operator", "drain", "fenced", "stalled"] as const),
    ),
    by: fc.option(fc.string()),
    reason: fc.option(fc.string()),
  }),
  fc.record({ kind: fc.constant("limited" as const), retryAt: fc.string(), message: fc.string() }),
  fc.record({
    kind: fc.constant("over_budget" as const),
    budget: fc.constantFrom("issue" as const, "day" as const),
    tokens: fc.nat(),
    limit: fc.nat(),
  }),
  fc.record({ kind: fc.constant("stale" as const), issue: fc.option(anyIssue) }),
);

verifies("fleet.policy.total", "any outcome of any claim leads to a sound transition", () => {
  const counts = {
    attempt: fc.option(fc.integer({ min: 1, max: 1e6 })),
    failures: fc.nat(10),
    sessions: fc.nat(10),
  };
  fc.assert(
    fc.property(goodIssue, fc.record(counts), anyOutcome, anySettings, (issue, facts, outcome, settings) => {
      const after = decide(running(issue, facts), outcome, totalsWith(10), settings, NOW);
      if (after.to !== "retrying") return;
      expect(Number.isFinite(after.delayMs) && after.delayMs >= 0).toBe(true);
      expect(Number.isInteger(after.attempt) && after.attempt >= 1).toBe(true);
      expect(after.failures).toBeLessThan(Math.max(settings.agent.maxAttempts, facts.failures + 1));
      if (after.scopeWaitsUntil !== undefined) {
        expect(Date.parse(after.scopeWaitsUntil)).toBe(NOW + after.delayMs);
      }
    }),
  );
});

verifies("fleet.policy.total", "any mix of failures and normal ends without progress ends", () => {
  const fails = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(fails, anySettings, (stream, settings) => {
      const workable = settingsWith({ agent: settings.agent, budget: { issueTokens: null } });
      let claim = running(ISSUE);
      const most = settings.agent.maxAttempts * settings.agent.maxSessions;
      for (let runs = 1; runs <= most + 1; runs++) {
        const outcome: Outcome = stream.next().value === true ? FAILED : { kind: "completed", issue: ISSUE };
        const after = decide(claim, outcome, totalsWith(1), workable, NOW);
        if (after.to === "blocked") return;
        if (after.to === "retrying") claim = running(ISSUE, after);
      }
      throw new Error(`still not blocked after ${most} runs`);
    }),
  );
});
