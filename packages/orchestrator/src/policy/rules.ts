import type { Claim } from "../domain/claim.ts";
import type { Verdict } from "../domain/explanation.ts";
import { hasState, type Issue } from "../domain/issue.ts";
import { claimNext, claimText } from "./claim-text.ts";
import type { Situation } from "./situation.ts";
import { freeInState, freeSlots, type Slots } from "./slots.ts";
import { missingLabels } from "./standing.ts";

/** The input of a rule. */
export interface RuleInput {
  readonly issue: Issue;
  readonly situation: Situation;
  /** With the slots of the issues that come before this one. */
  readonly slots: Slots;
  readonly claim: Claim | undefined;
  /** The id of another issue with the same identifier that has a claim or comes before this one. */
  readonly namesake: string | undefined;
}

interface Rule {
  readonly rule: string;
  /** Whether the issue meets the rule, and why: one sentence with the values that decided. */
  check(input: RuleInput): readonly [ok: boolean, why: string];
  /** For people: how the issue could meet the rule. */
  next(input: RuleInput): string;
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(", ");

const ISSUE_RULES: readonly Rule[] = [
  {
    rule: "fields_present",
    check({ issue }) {
      const missing = (["id", "identifier", "title", "state"] as const).filter(
        (field) => issue[field].trim() === "",
      );
      return missing.length === 0
        ? [true, "The issue has an id, an identifier, a title and a state."]
        : [false, `The issue has no ${missing.join(", ")}.`];
    },
    next: () => "Give the issue the missing fields in the tracker.",
  },
  {
    rule: "state_active",
    check({ issue, situation }) {
      const { activeStates } = situation.settings.tracker;
      const ok = hasState(activeStates, issue.state);
      return [
        ok,
        `The state ${quoted([issue.state])} is ${ok ? "" : "not "}one of ${quoted(activeStates) || "no states"}.`,
      ];
    },
    next: ({ situation }) =>
      `Move the issue to one of the active states: ${quoted(situation.settings.tracker.activeStates)}.`,
  },
  {
    rule: "state_not_terminal",
    check({ issue, situation }) {
      const ok = !hasState(situation.settings.tracker.terminalStates, issue.state);
      return [ok, `The state ${quoted([issue.state])} is ${ok ? "not " : ""}terminal.`];
    },
    next: () => "Open the issue again, or take its state off tracker.terminal_states.",
  },
  {
    rule: "dispatchable",
    check: ({ issue }) =>
      issue.dispatchable
        ? [true, "The rules of the tracker allow a run."]
        : [false, `The rules of the tracker do not allow a run${blockers(issue)}.`],
    next: ({ issue }) => `Resolve what the tracker waits for${blockers(issue)}.`,
  },
  {
    rule: "labels",
    check({ issue, situation }) {
      const { requiredLabels } = situation.settings.tracker;
      const missing = missingLabels(issue, requiredLabels);
      if (requiredLabels.length === 0) return [true, "No label is required."];
      return missing.length === 0
        ? [true, `The issue has the required labels ${quoted(requiredLabels)}.`]
        : [false, `The issue does not have the required labels ${quoted(missing)}.`];
    },
    next: ({ issue, situation }) =>
      `Add the labels ${quoted(missingLabels(issue, situation.settings.tracker.requiredLabels))}.`,
  },
  {
    rule: "unclaimed",
    check: ({ claim }) =>
      claim === undefined ? [true, "The issue has no claim."] : [false, `The issue is ${claimText(claim)}.`],
    next: ({ claim }) => (claim === undefined ? "" : claimNext(claim)),
  },
  {
    // Two issues with one identifier would have one workspace.
    rule: "identifier_unique",
    check: ({ issue, namesake }) =>
      namesake === undefined
        ? [true, "No other issue has the identifier."]
        : [
            false,
            `The issue with the id ${quoted([namesake])} has the identifier ${quoted([issue.identifier])}, too.`,
          ],
    next: () => "Give the issues different identifiers, or finish the other one first.",
  },
];

const SCOPE_RULES: readonly Rule[] = [
  {
    rule: "not_paused",
    check({ situation: { snapshot } }) {
      const { paused } = snapshot;
      if (paused === null) return [true, "The fleet is not paused."];
      const reason = paused.reason === null ? "" : `: ${paused.reason}`;
      return [false, `${paused.by} paused the fleet at ${paused.at}${reason}.`];
    },
    next: () => "Resume the fleet.",
  },
  {
    rule: "not_draining",
    check: ({ situation: { snapshot } }) =>
      snapshot.draining
        ? [false, "The fleet drains: it starts no more runs."]
        : [true, "The fleet does not drain."],
    next: () => "Start the fleet again after it has drained.",
  },
  {
    rule: "not_waiting",
    check({ situation: { snapshot, now } }) {
      const { waiting } = snapshot;
      if (waiting === null || Date.parse(waiting.until) <= now) return [true, "The fleet waits for nothing."];
      return [false, `The fleet waits until ${waiting.until}: ${waiting.why}.`];
    },
    next: ({ situation: { snapshot } }) => `Wait until ${snapshot.waiting?.until ?? "the limit is over"}.`,
  },
  {
    rule: "day_budget",
    check({ situation: { settings, snapshot } }) {
      const spent = snapshot.today.totalTokens;
      const limit = settings.budget.dayTokens;
      if (limit === null) return [true, `${spent} tokens were used today; there is no limit.`];
      return [spent < limit, `${spent} of the ${limit} tokens of this UTC day were used.`];
    },
    next: () => "Wait for the next UTC day, or raise budget.day_tokens.",
  },
];

const SLOT_RULES: readonly Rule[] = [
  {
    rule: "slot_free",
    check({ slots }) {
      const { global } = slots.limits;
      return [
        freeSlots(slots) > 0,
        `${slots.taken} of ${global} slots are taken, or wanted by issues before.`,
      ];
    },
    next: () => "Wait for a run to end, or raise agent.max_concurrent_agents.",
  },
  {
    rule: "state_slot_free",
    check({ issue, slots }) {
      const { limit, free } = freeInState(slots, issue.state);
      return [free > 0, `${free} of ${limit} slots are free for the state ${quoted([issue.state])}.`];
    },
    next: ({ issue }) =>
      `Wait for a run in this state to end, or raise agent.max_concurrent_agents_by_state for ${quoted([issue.state])}.`,
  },
];

const RULES: readonly Rule[] = [...ISSUE_RULES, ...SCOPE_RULES, ...SLOT_RULES];

/** One verdict for each rule, the preflight's included. The issue is eligible if all are ok. */
export function verdictsOf(input: RuleInput): readonly Verdict[] {
  const own = RULES.map((each) => {
    const [ok, why] = each.check(input);
    return { rule: each.rule, ok, why };
  });
  return [...input.situation.preflight, ...own];
}

/** How the issue could become eligible: one sentence for each rule that it does not meet. */
export function nextOf(input: RuleInput): readonly string[] {
  return [
    ...input.situation.preflight.filter(({ ok }) => !ok).map(({ why }) => why),
    ...RULES.filter((each) => !each.check(input)[0]).map((each) => each.next(input)),
  ];
}

/** The rules about the whole scope that are not met now. They hold up retries, too. */
export function heldUp(input: RuleInput): readonly Verdict[] {
  const names = new Set(SCOPE_RULES.map(({ rule }) => rule));
  return verdictsOf(input).filter(
    ({ rule, ok }) =>
      !ok && (names.has(rule) || input.situation.preflight.some((each) => each.rule === rule)),
  );
}

function blockers({ blocked_by: blockedBy }: Issue): string {
  const names = blockedBy.map(({ identifier, id, state }) => `${identifier ?? id ?? "?"} (${state ?? "?"})`);
  return names.length === 0 ? "" : `; it names these blockers: ${names.join(", ")}`;
}
