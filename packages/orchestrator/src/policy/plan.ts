import type { Claim } from "../domain/claim.ts";
import type { Explanation, Verdict } from "../domain/explanation.ts";
import type { Issue } from "../domain/issue.ts";
import { byDispatchOrder } from "./order.ts";
import { nextOf, verdictsOf, type RuleInput } from "./rules.ts";
import type { Situation } from "./situation.ts";
import { limitsOf, slotsOf, withOneMore } from "./slots.ts";

/** A candidate with its verdicts. */
export interface Planned {
  readonly issue: Issue;
  readonly eligible: boolean;
  readonly verdicts: readonly Verdict[];
}

/** The candidates in the order of dispatch. Each eligible one takes a slot from those after it. */
export function planDispatch(candidates: readonly Issue[], situation: Situation): readonly Planned[] {
  return inputsOf(candidates, situation).map((input) => plannedOf(input));
}

/**
 * Explains why an issue runs or does not run. `candidates` are the issues that dispatch looks at; without them, the
 * issue is taken to be the only one. The verdicts come from the same computation as those of `planDispatch`.
 */
export function explain(
  subject: {
    readonly issueId: string;
    readonly identifier: string;
    /** null if the tracker does not show the issue now. */
    readonly issue: Issue | null;
  },
  candidates: readonly Issue[],
  situation: Situation,
): Explanation {
  const { issueId, identifier, issue } = subject;
  const claim = situation.snapshot.claims.find((each) => each.issueId === issueId) ?? null;
  if (issue === null) {
    return {
      issueId,
      identifier,
      issue,
      eligible: false,
      verdicts: [{ rule: "visible", ok: false, why: "The tracker does not show the issue." }],
      claim,
      next: ["Check the identifier, and the project that WORKFLOW.md names."],
    };
  }
  const others = candidates.filter(({ id }) => id !== issueId);
  const input = inputsOf([...others, issue], situation).find((each) => each.issue === issue);
  if (input === undefined) throw new TypeError("the plan does not contain the issue");
  const { eligible, verdicts } = plannedOf(input);
  const next = eligible ? ["The next tick starts a run."] : nextOf(input);
  return { issueId, identifier, issue, eligible, verdicts, claim, next };
}

function inputsOf(candidates: readonly Issue[], situation: Situation): readonly RuleInput[] {
  const { settings, snapshot } = situation;
  const claims = new Map<string, Claim>(snapshot.claims.map((claim) => [claim.issueId, claim]));
  let slots = slotsOf(limitsOf(settings), snapshot.claims);
  const seen = new Set<string>();
  const names = new Map(snapshot.claims.map(({ issueId, issue }) => [issue.identifier, issueId]));
  const inputs: RuleInput[] = [];
  for (const issue of candidates.toSorted(byDispatchOrder)) {
    // A page that shifted while it was read can list an issue twice.
    if (seen.has(issue.id)) continue;
    seen.add(issue.id);
    const named = names.get(issue.identifier);
    const namesake = named === issue.id ? undefined : named;
    const input = { issue, situation, slots, claim: claims.get(issue.id), namesake };
    inputs.push(input);
    if (!isEligible(verdictsOf(input))) continue;
    slots = withOneMore(slots, issue.state);
    names.set(issue.identifier, issue.id);
  }
  return inputs;
}

function plannedOf(input: RuleInput): Planned {
  const verdicts = verdictsOf(input);
  return { issue: input.issue, eligible: isEligible(verdicts), verdicts };
}

function isEligible(verdicts: readonly Verdict[]): boolean {
  return verdicts.every(({ ok }) => ok);
}
