import type { ThreadRecord } from "../records/record.ts";

/** How a version of Codex differs from the newest. */
export interface Dialect {
  readonly version: string;
  /** Whether this version has the method. */
  knows(method: string): boolean;
  /** Returns the id of the thread's next turn, or `undefined` for a new UUID. */
  turnId(thread: ThreadRecord): string | undefined;
  /** Whether the item of a command starts before the user is asked to approve it. */
  readonly showsWhatItAsksFor: boolean;
  /** Whether a patch that the user declines completes twice: as declined, then as failed. */
  readonly endsDeclinedPatchesTwice: boolean;
  /** Whether a review runs as a separate turn, nested in the requested turn. */
  readonly nestsReviews: boolean;
  /** Whether the item that ends a review has the findings as data, which Codex does not send; default false. */
  readonly tellsFindings?: boolean;
  /** Whether `turn/start` during a turn returns the id of a new turn, which starts but never ends. */
  readonly startsPhantoms: boolean;
  /** Whether a thread that is opened again starts with the default sandbox; default false. */
  readonly forgetsSandbox?: boolean;
}
