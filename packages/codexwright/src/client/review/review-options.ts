import type { ReviewStartParams, ReviewTarget as WireReviewTarget } from "../../protocol/index.ts";
import * as is from "../../rpc/options/check.ts";
import { needed, type Table } from "../../rpc/options/table.ts";
import { TURN_LIMITS } from "../turn/options/turn-options.ts";
import type { CompletedTurn } from "../turn/end/turn-result.ts";
import type { ReviewFinding, ReviewOverall } from "./review-findings.ts";

/**
 * The changes to review. If the type is `baseBranch` and `branch` is omitted, the reviewer finds the base branch
 * itself. A custom review without `instructions` rejects with `invalid_argument`, because the server requires
 * instructions.
 */
export type ReviewTarget =
  | WireReviewTarget
  | { type: "baseBranch"; branch?: undefined }
  | { type: "custom"; instructions?: undefined };

/**
 * A review of a thread. If `delivery` is "detached", the review runs on a new thread with a copy of this thread's
 * history.
 */
export interface StartReviewParams extends Omit<ReviewStartParams, "delivery" | "target"> {
  target: ReviewTarget;
  delivery?: "inline" | "detached" | undefined;
  /** Adds the summary of the review to the thread as a message; supported only by servers of November 2025. */
  appendToOriginalThread?: boolean | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  silenceMs?: number | undefined;
}

/** A finished review. */
export interface CompletedReview extends CompletedTurn {
  readonly reviewText: string;
  /** The findings; empty if there are none, or if the reviewer used another format. */
  readonly findings: readonly ReviewFinding[];
  /** The reviewer's judgement on all changes together; null if the server sent only text, as Codex does. */
  readonly overall: ReviewOverall | null;
  readonly reviewThreadId: string;
}

export const START_REVIEW: Table<StartReviewParams> = {
  ...TURN_LIMITS,
  threadId: needed(is.text),
  target: needed(is.object),
  delivery: is.oneOf("inline", "detached"),
  appendToOriginalThread: is.flag,
};
