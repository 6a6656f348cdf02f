import type { ReviewStartParams, ReviewTarget as WireReviewTarget } from "../../protocol/index.ts";
import * as is from "../../rpc/options/check.ts";
import { needed, type Table } from "../../rpc/options/table.ts";
import { TURN_LIMITS } from "../turn/options/turn-options.ts";
import type { CompletedTurn } from "../turn/end/turn-result.ts";
import type { ReviewFinding } from "./review-findings.ts";

/**
 * What is reviewed. Without `branch`, the reviewer finds the base branch itself. The server needs the `instructions` of
 * a custom review: without them the call rejects `invalid_argument`.
 */
export type ReviewTarget =
  | WireReviewTarget
  | { type: "baseBranch"; branch?: undefined }
  | { type: "custom"; instructions?: undefined };

/** A review of a thread; with `delivery` "detached" on a thread of its own, which has the history of this one. */
export interface StartReviewParams extends Omit<ReviewStartParams, "delivery" | "target"> {
  target: ReviewTarget;
  delivery?: "inline" | "detached" | undefined;
  /** Adds the review's summary to the thread as a message; only servers of November 2025 have it. */
  appendToOriginalThread?: boolean | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  silenceMs?: number | undefined;
}

/** A finished review. */
export interface CompletedReview extends CompletedTurn {
  readonly reviewText: string;
  /** What `reviewText` lists; empty if it lists nothing, and if the reviewer answered in a form of its own. */
  readonly findings: readonly ReviewFinding[];
  readonly reviewThreadId: string;
}

export const START_REVIEW: Table<StartReviewParams> = {
  ...TURN_LIMITS,
  threadId: needed(is.text),
  target: needed(is.object),
  delivery: is.oneOf("inline", "detached"),
  appendToOriginalThread: is.flag,
};
