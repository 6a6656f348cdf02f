export type {
  BrowserLogin,
  DeviceCodeLogin,
  Login,
  PendingLogin,
  RateLimits,
} from "./services/account/index.ts";
export { CodexClient } from "./client.ts";
export { OutputLostError, StdinClosedError } from "./services/commands/exec-errors.ts";
export type {
  ExecHandle,
  ExecOptions,
  ExecOutput,
  ExecResult,
  ExecStdin,
} from "./services/commands/index.ts";
export { ConfigConflictError } from "./services/config/errors.ts";
export type { Config } from "./services/config/index.ts";
export type { CodexErrorCode } from "./error-code.ts";
export {
  NotConnectedError,
  StartupTimeoutError,
  ThreadBusyError,
  TurnFailedError,
  TurnInterruptedError,
  TurnNotStartedError,
  TurnRetryingError,
  TurnTimeoutError,
} from "./errors.ts";
export type { ClientWarning } from "./connection/events.ts";
export type { ClientEvents } from "./spec-002/events.ts";
export type { CodexFs, Watch, WatchChange } from "./services/files/index.ts";
export type { ServerInfo } from "./connection/handshake.ts";
export type { TurnInput } from "./turn/options/input.ts";
export type { Mcp, McpLogin } from "./services/mcp/index.ts";
export type { ClientOptions } from "./options.ts";
export { RealtimeFailedError } from "./services/realtime/errors.ts";
export type { Realtime, RealtimeEvent } from "./services/realtime/index.ts";
export type { ReviewFinding, ReviewOverall } from "./review/review-findings.ts";
export { CrashLoopError } from "./connection/recovery/recovery.ts";
export type { ServerRequest } from "./connection/server-request.ts";
export {
  ApprovalRequiredError,
  ElicitationRequiredError,
  InputRequiredError,
  PermissionsRequiredError,
  type ApprovalDecision,
  type ApprovalRequest,
  type CommandApproval,
  type ElicitationAnswer,
  type ElicitationRequest,
  type FileChangeApproval,
  type McpToolApproval,
  type NetworkApproval,
  type PermissionsAnswer,
  type PermissionsRequest,
  type RefreshedTokens,
  type ServerRequestOptions,
  type UserInputAnswers,
  type UserInputRequest,
  isApprovalDecision,
  scriptOf,
  serverRequestHandler,
} from "./requests/index.ts";
export {
  jsonSchema,
  OutputInvalidError,
  type InferInput,
  type InferOutput,
  type Schema,
} from "../schema/index.ts";
export {
  initialThreadState,
  reduceThread,
  ThreadFold,
  type ContextMeter,
  type ItemState,
  type ThreadEvent,
  type ThreadState,
  type TurnState,
  type TurnUsage,
} from "./state/index.ts";
export { usageSince } from "./state/tokens.ts";
export type { SearchSession, SearchResults } from "./services/search/index.ts";
export {
  ActiveWriterError,
  NoActiveTurnError,
  NoRolloutError,
  ThreadArchivedError,
  ThreadNotFoundError,
  TurnNotSteerableError,
  UnsupportedError,
} from "./connection/server/server-errors.ts";
export type {
  CompletedReview,
  CompletedTurn,
  ExecCommandParams,
  ExecCommandResult,
  FileChange,
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  ListModelsParams,
  ListThreadsParams,
  ModelInfo,
  ModelListResult,
  PlanEntry,
  ResumeThreadParams,
  ReviewResult,
  ReviewTarget,
  SandboxPolicy,
  StartReviewParams,
  StartThreadParams,
  StartTurnParams,
  SteerTurnParams,
  ThreadItem,
  ThreadListResult,
  ThreadSummary,
  TurnError,
} from "./spec-002/spec-types.ts";
export { Thread, type SendResult } from "./thread/thread.ts";
export type { ForkThreadOptions, ResumeThreadOptions, StartThreadOptions } from "./thread/thread-options.ts";
export type { TurnEvent } from "./turn/live-event.ts";
export {
  ok,
  tool,
  type Tool,
  type ToolContext,
  type ToolOk,
  type ToolOptions,
  type ToolResult,
} from "../tools/index.ts";
export { Turn } from "./turn/turn.ts";
export type { TurnOptions } from "./turn/options/turn-options.ts";
export type { TurnResult } from "./turn/end/turn-result.ts";
export { VERSION } from "../rpc/version.ts";
export {
  AbortedError,
  AuthFailedError,
  CodexError,
  ConnectionClosedError,
  InvalidArgumentError,
  MissingDependencyError,
  OverloadedError,
  RequestError,
  RequestTimeoutError,
  ResponseError,
  RpcError,
  UnexpectedAnswerError,
  type CloseReason,
} from "../rpc/errors.ts";
export { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
export type { Transport, TransportFactory } from "../rpc/transport.ts";
