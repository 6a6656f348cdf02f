import type {
  Model,
  ModelListParams,
  ModelListResponse,
  FileUpdateChange,
  ReviewStartParams,
  ReviewTarget as WireReviewTarget,
  Thread as WireThread,
  ThreadItem,
  ThreadListParams,
  ThreadListResponse,
  Turn as WireTurn,
  TurnPlanStep,
  TurnSteerParams,
} from "../../protocol/index.ts";
import type { RequestId, RpcErrorObject } from "../../rpc/message.ts";
import type { TurnInput } from "../turn/input.ts";
import type { ReviewFinding } from "../review/review-findings.ts";
import type { ResumeThreadOptions, StartThreadOptions } from "../thread/thread-options.ts";
import type { TurnOptions } from "../turn/turn-options.ts";
import type { TurnResult } from "../turn/turn-result.ts";

// Type names of docs/spec/spec-002.md. Each stands for a type of our own or of the wire.

export type StartThreadParams = StartThreadOptions;
export type ResumeThreadParams = ResumeThreadOptions;
export type ListThreadsParams = ThreadListParams;
export type ThreadListResult = ThreadListResponse;
export type ListModelsParams = ModelListParams;
export type ModelListResult = ModelListResponse;
export type ModelInfo = Model;
export type { ExecCommandParams, ExecResult as ExecCommandResult } from "../services/commands/index.ts";
export type PlanEntry = TurnPlanStep;
export type FileChange = FileUpdateChange;
export type { SandboxPolicy, ThreadItem, TurnError } from "../../protocol/index.ts";

// Messages as they are on the wire, by kind. None has the `jsonrpc` member.

export interface JsonRpcRequest {
  id: RequestId;
  method: string;
  params?: unknown;
}

export interface JsonRpcResponse {
  id: RequestId;
  result?: unknown;
  error?: JsonRpcError;
}

export interface JsonRpcNotification {
  method: string;
  params?: unknown;
}

export type JsonRpcError = RpcErrorObject;
export type JsonRpcMessage = JsonRpcRequest | JsonRpcResponse | JsonRpcNotification;

/** A turn of a thread that is named by its id. */
export interface StartTurnParams extends TurnOptions {
  threadId: string;
  input: TurnInput | readonly TurnInput[];
}

export interface SteerTurnParams extends Omit<TurnSteerParams, "input"> {
  input: TurnInput | readonly TurnInput[];
}

/** A `TurnResult` whose list of items is the caller's own. */
export interface CompletedTurn extends Omit<TurnResult, "items"> {
  items: ThreadItem[];
}

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

/** A review that was started: its turn, on the thread where it runs. */
export interface ReviewResult {
  readonly turn: WireTurn;
  readonly reviewThreadId: string;
}

/** A finished review. */
export interface CompletedReview extends CompletedTurn {
  readonly reviewText: string;
  /** What `reviewText` lists; empty if it lists nothing, and if the reviewer answered in a form of its own. */
  readonly findings: readonly ReviewFinding[];
  readonly reviewThreadId: string;
}

/** A thread as the server lists it. */
export type ThreadSummary = WireThread;
