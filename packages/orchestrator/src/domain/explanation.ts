import type { Claim } from "./claim.ts";
import type { Issue } from "./issue.ts";

/** One rule of dispatch, and whether an issue meets it. */
export interface Verdict {
  /** The name of the rule, such as `state_active` or `slot_free`. */
  readonly rule: string;
  readonly ok: boolean;
  /** For people: one sentence with the values that decided. */
  readonly why: string;
}

/** Why an issue runs or does not run. Dispatch computes the verdicts in the same way. */
export interface Explanation {
  readonly issueId: string;
  readonly identifier: string;
  /** null if the tracker does not show the issue now. */
  readonly issue: Issue | null;
  readonly eligible: boolean;
  readonly verdicts: readonly Verdict[];
  readonly claim: Claim | null;
  /** For people: what would change it. */
  readonly next: readonly string[];
}
