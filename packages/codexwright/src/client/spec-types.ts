import type {
  Model,
  ModelListParams,
  ModelListResponse,
  ReviewStartParams,
  Thread as WireThread,
  ThreadListParams,
  ThreadListResponse,
  Turn as WireTurn,
  TurnPlanStep,
  TurnSteerParams,
} from "../protocol/index.ts";
import type { TurnInput } from "./input.ts";
import type { ReviewFinding } from "./review-findings.ts";
import type { ResumeThreadOptions, StartThreadOptions } from "./thread-options.ts";
import type { TurnOptions } from "./turn-options.ts";
import type { TurnResult } from "./turn-result.ts";

/** Names by which the client's flat methods are specified; each is a type of ours or the wire's. */
export type StartThreadParams = StartThreadOptions;
export type ResumeThreadParams = ResumeThreadOptions;
export type ListThreadsParams = ThreadListParams;
export type ThreadListResult = ThreadListResponse;
export type ListModelsParams = ModelListParams;
export type ModelListResult = ModelListResponse;
export type ModelInfo = Model;
export type { ExecCommandParams, ExecResult as ExecCommandResult } from "./commands/index.ts";
export type PlanEntry = TurnPlanStep;

/** A turn of a thread that is named by its id. */
export interface StartTurnParams extends TurnOptions {
  threadId: string;
  input: TurnInput;
}

export interface SteerTurnParams extends Omit<TurnSteerParams, "input"> {
  input: TurnInput;
}

/** What a completed turn amounts to: a `TurnResult`. */
export type CompletedTurn = TurnResult;

/** A review of a thread; `delivery` "detached" only on servers that have it. */
export interface StartReviewParams extends Omit<ReviewStartParams, "delivery"> {
  delivery?: "inline" | "detached" | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  silenceMs?: number | undefined;
}

/** A review that was started: its turn, on the thread where it runs. */
export interface ReviewResult {
  readonly turn: WireTurn;
  readonly reviewThreadId: string;
}

/** A finished review. */
export interface CompletedReview extends TurnResult {
  readonly reviewText: string;
  /** What `reviewText` lists; empty if it lists nothing, and if the reviewer answered in a form of its own. */
  readonly findings: readonly ReviewFinding[];
  readonly reviewThreadId: string;
}

/** A thread as the server lists it. */
export type ThreadSummary = WireThread;
