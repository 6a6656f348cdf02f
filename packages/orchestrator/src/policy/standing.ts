import { hasState, type Issue } from "../domain/issue.ts";
import type { Settings } from "../domain/settings.ts";

/** How an issue stands in the tracker, as far as runs are concerned. */
export type Standing = "workable" | "terminal" | "inactive" | "unroutable" | "gone";

/** A terminal state takes precedence over an active one. null: the tracker no longer shows the issue. */
export function standingOf(issue: Issue | null, { tracker }: Settings): Standing {
  if (issue === null) return "gone";
  if (hasState(tracker.terminalStates, issue.state)) return "terminal";
  if (!hasState(tracker.activeStates, issue.state)) return "inactive";
  return isRoutable(issue, tracker.requiredLabels) ? "workable" : "unroutable";
}

/** `issue_routable` of SPEC.md: only the provider's rules and the labels. */
export function isRoutable(issue: Issue, requiredLabels: readonly string[]): boolean {
  return issue.dispatchable && missingLabels(issue, requiredLabels).length === 0;
}

/** The required labels that the issue does not have. A blank label is always missing. */
export function missingLabels(issue: Issue, requiredLabels: readonly string[]): readonly string[] {
  return requiredLabels.filter((label) => label === "" || !issue.labels.includes(label));
}

/** Why an issue is no longer worked on, for the end of its claim. */
export function endOf(
  standing: Exclude<Standing, "workable">,
  issue: Issue | null,
): { readonly why: string; readonly cleanup: boolean } {
  switch (standing) {
    case "gone":
      return { why: "the tracker no longer shows the issue", cleanup: false };
    case "terminal":
      return { why: `the issue is in the terminal state "${issue?.state ?? ""}"`, cleanup: true };
    case "inactive":
      return { why: `the state "${issue?.state ?? ""}" is not active`, cleanup: false };
    default:
      return { why: "the tracker or the required labels no longer allow a run", cleanup: false };
  }
}
