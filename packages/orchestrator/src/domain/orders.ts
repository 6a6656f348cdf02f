import type { Question } from "./claim.ts";
import type { Json } from "./json.ts";

/** An order of an operator. `by` names the person or program, for the record. */
export type Order =
  /** Ends the run if there is one, and blocks the issue until `retry` or a change in the tracker. */
  | { readonly kind: "stop"; readonly by: string; readonly reason: string | null }
  /** Frees a blocked issue, or makes a waiting retry due now. */
  | { readonly kind: "retry"; readonly by: string }
  /** Answers the question of a blocked issue. The next run begins with it on the same thread. */
  | { readonly kind: "answer"; readonly by: string; readonly answer: Answer }
  /** Releases the claim and removes the workspace. Refused while a run goes on. */
  | { readonly kind: "clean"; readonly by: string };

/** A text for the model, or the protocol's answer to the request. */
export type Answer = { readonly text: string } | { readonly json: Json };

/** A question that ended a run, with the answer of a person. The next run begins with both. */
export interface Answered {
  readonly question: Question;
  readonly answer: Answer;
}
