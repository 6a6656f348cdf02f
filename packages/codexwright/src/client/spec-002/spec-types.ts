import type {
  Model,
  ModelListParams,
  ModelListResponse,
  FileUpdateChange,
  Thread as WireThread,
  ThreadListParams,
  ThreadListResponse,
  Turn as WireTurn,
  TurnPlanStep,
  TurnSteerParams,
} from "../../protocol/index.ts";
import type { RequestId, RpcErrorObject } from "../../rpc/message.ts";
import type { TurnInput } from "../turn/options/input.ts";
import type { ResumeThreadOptions, StartThreadOptions } from "../thread/thread-options.ts";
import type { TurnOptions } from "../turn/options/turn-options.ts";

// Type names of docs/spec/spec-002.md. Each is an alias of our own type or of a wire type.

export type StartThreadParams = StartThreadOptions;
export type ResumeThreadParams = ResumeThreadOptions;
export type ListThreadsParams = ThreadListParams;
export type ThreadListResult = ThreadListResponse;
export type ListModelsParams = ModelListParams;
export type ModelListResult = ModelListResponse;
export type ModelInfo = Model;
export type { ExecCommandParams, ExecResult as ExecCommandResult } from "../services/commands/index.ts";
export type { CompletedReview, ReviewTarget, StartReviewParams } from "../review/review-options.ts";
export type { CompletedTurn } from "../turn/end/turn-result.ts";
export type PlanEntry = TurnPlanStep;
export type FileChange = FileUpdateChange;
export type { SandboxPolicy, ThreadItem, TurnError } from "../../protocol/index.ts";

// Wire messages by kind. None of them has the `jsonrpc` member.

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

/** Parameters of a turn on a thread that is identified by its id. */
export interface StartTurnParams extends TurnOptions {
  threadId: string;
  input: TurnInput | readonly TurnInput[];
}

export interface SteerTurnParams extends Omit<TurnSteerParams, "input"> {
  input: TurnInput | readonly TurnInput[];
}

/** A started review: its turn and the thread on which it runs. */
export interface ReviewResult {
  readonly turn: WireTurn;
  readonly reviewThreadId: string;
}

/** A thread in the server's list. */
export type ThreadSummary = WireThread;
