import fc from "fast-check";
import { describe, expect } from "vitest";
import {
  decideDue,
  idsToReconcile,
  isStalled,
  postponeRefused,
  postponeUnknown,
  reconcile,
  standingOf,
} from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import {
  anyIssue,
  anySituation,
  blocked,
  issueWith,
  queued,
  retrying,
  running,
  settingsWith,
  situationWith,
  tokens,
} from "./world.ts";

const ISSUE = issueWith({});

describe("reconciliation", () => {
  verifies("fleet.policy.reconcile", "stops runs, releases other claims, and keeps the rest", () => {
    const settings = settingsWith({});
    const seen = {
      a: { ...ISSUE, id: "a", state: "done" },
      b: { ...ISSUE, id: "b", state: "Backlog" },
      c: { ...ISSUE, id: "c", dispatchable: false },
      e: { ...ISSUE, id: "e", title: "New title" },
    };
    const found = new Map(Object.entries(seen));
    const runs = ["a", "b", "c", "d", "e"].map((id) => running({ ...ISSUE, id }));
    expect(reconcile(runs, found, settings)).toEqual({
      stops: [
        { issueId: "a", why: "terminal" },
        { issueId: "b", why: "inactive" },
        { issueId: "c", why: "unroutable" },
        { issueId: "d", why: "gone" },
      ],
      releases: [],
      refreshed: [seen.e],
    });
    const waiting = [
      blocked({ ...ISSUE, id: "a" }),
      queued({ ...ISSUE, id: "d" }),
      blocked({ ...ISSUE, id: "e" }),
    ];
    expect(reconcile(waiting, found, settings)).toMatchObject({
      stops: [],
      releases: [
        { issueId: "a", cleanup: true },
        { issueId: "d", cleanup: false },
      ],
      refreshed: [seen.e],
    });
  });

  verifies("fleet.policy.reconcile", "asks for nothing if every claim waits for its retry", () => {
    expect(idsToReconcile([])).toEqual(new Set());
    expect(idsToReconcile([retrying(ISSUE)])).toEqual(new Set());
    expect(idsToReconcile([running(ISSUE), blocked({ ...ISSUE, id: "2" })])).toEqual(new Set(["1", "2"]));
  });

  verifies("fleet.policy.reconcile", "decides each claim once, whatever the tracker says", () => {
    fc.assert(
      fc.property(fc.array(anyIssue), anySituation, (issues, { settings, snapshot }) => {
        const seen = new Map(issues.map((issue) => [issue.id, issue]));
        const { stops, releases, refreshed } = reconcile(snapshot.claims, seen, settings);
        const decidedIds = [...stops, ...releases].map(({ issueId }) => issueId);
        const all = [...decidedIds, ...refreshed.map(({ id }) => id)];
        expect(all.toSorted()).toEqual([...idsToReconcile(snapshot.claims)].toSorted());
        // Only a terminal state in the tracker may remove a workspace.
        for (const { issueId, cleanup } of releases) {
          const isTerminal = standingOf(seen.get(issueId) ?? null, settings) === "terminal";
          expect(cleanup).toBe(isTerminal);
        }
      }),
    );
  });
});

describe("a retry that is due", () => {
  const claim = retrying(ISSUE, { attempt: 3 });

  verifies("fleet.policy.due", "is admitted, or released as the tracker says", () => {
    const situation = situationWith({ claims: [claim] });
    expect(decideDue(claim, ISSUE, situation)).toEqual({ act: "admit", issue: ISSUE });
    expect(decideDue(claim, null, situation)).toMatchObject({ act: "release", cleanup: false });
    expect(decideDue(claim, { ...ISSUE, state: "DONE" }, situation)).toMatchObject({
      act: "release",
      cleanup: true,
    });
    expect(decideDue(claim, { ...ISSUE, dispatchable: false }, situation)).toMatchObject({
      act: "release",
      cleanup: false,
    });
  });

  verifies("fleet.policy.due", "is postponed with the next attempt without a slot or an answer", () => {
    const situation = situationWith({ claims: [claim] });
    const next = { act: "postpone", attempt: 4, delayMs: 80_000 };
    expect(postponeRefused(claim, "no_slot", situation)).toEqual({
      ...next,
      error: "no available orchestrator slots",
    });
    expect(postponeRefused(claim, "no_state_slot", situation)).toMatchObject(next);
    expect(postponeUnknown(claim, "status 500", situation)).toMatchObject(next);
  });

  verifies("fleet.policy.due", "waits without counting an attempt while the fleet is held up", () => {
    const held = (snapshot: Parameters<typeof situationWith>[0]): unknown =>
      decideDue(claim, ISSUE, situationWith(snapshot));
    const next = { act: "postpone", attempt: 3, delayMs: 30_000 };
    expect(held({ paused: { by: "me", reason: null, at: "12:00" } })).toMatchObject(next);
    expect(held({ draining: true })).toMatchObject(next);
    expect(held({ waiting: { until: "2026-05-01T13:00:00Z", why: "w" } })).toMatchObject({
      ...next,
      delayMs: 3_600_000,
    });
    expect(held({ today: tokens(10_000) })).toMatchObject({ ...next, delayMs: 12 * 3_600_000 });
    const full = [{ rule: "disk_space", ok: false, why: "The disk is full." }];
    expect(decideDue(claim, ISSUE, situationWith({}, settingsWith({}), full))).toMatchObject(next);
    expect(postponeRefused(claim, "paused", situationWith({}))).toMatchObject(next);
    // An issue that is done is released even then.
    expect(decideDue(claim, null, situationWith({ draining: true }))).toMatchObject({ act: "release" });
  });

  verifies("fleet.policy.due", "waits while a renamed issue with the same identifier has a slot", () => {
    const namesake = { ...ISSUE, id: "another" };
    for (const other of [running(namesake), queued(namesake)]) {
      expect(decideDue(claim, ISSUE, situationWith({ claims: [claim, other] }))).toMatchObject({
        act: "postpone",
        attempt: 3,
        error: expect.stringContaining("another has the same identifier"),
      });
    }
    for (const other of [retrying(namesake), blocked(namesake), running({ ...namesake, identifier: "X" })])
      expect(decideDue(claim, ISSUE, situationWith({ claims: [claim, other] }))).toMatchObject({
        act: "admit",
      });
  });

  verifies("fleet.policy.due", "always has a sound decision", () => {
    fc.assert(
      fc.property(fc.option(anyIssue), anySituation, (issue, situation) => {
        const due = decideDue(claim, issue, situation);
        expect(due.act === "release").toBe(standingOf(issue, situation.settings) !== "workable");
        if (due.act === "postpone") expect(due.delayMs > 0 && Number.isFinite(due.delayMs)).toBe(true);
      }),
    );
  });
});

verifies("fleet.policy.stall", "a run is stalled only beyond the limit of silence", () => {
  expect(isStalled(300_000, settingsWith({}))).toBe(false);
  expect(isStalled(300_001, settingsWith({}))).toBe(true);
  expect(isStalled(Number.MAX_SAFE_INTEGER, settingsWith({ stallTimeoutMs: null }))).toBe(false);
});
