export type {
  BrowserLogin,
  DeviceCodeLogin,
  Login,
  PendingLogin,
  RateLimits,
  BrowserLoginOptions,
  RateLimitOptions,
  RateLimitState,
} from "./services/account/index.ts";
export { CodexClient } from "./client.ts";
export { OutputLostError, StdinClosedError } from "./services/commands/exec-errors.ts";
export type {
  ExecHandle,
  ExecOptions,
  ExecOutput,
  ExecResult,
  ExecStdin,
  TerminalSize,
} from "./services/commands/index.ts";
export { ConfigConflictError } from "./services/config/errors.ts";
export type {
  Config,
  ConfigBatchOptions,
  ConfigChange,
  ConfigWriteOptions,
  SkillsOptions,
} from "./services/config/index.ts";
export type { NotificationListener, ServerRequestHandler } from "./connection/listeners.ts";
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
export type { ClientEvents, ClientWarning, EventPlace, NamedByHandle } from "./connection/events.ts";
export type {
  CodexFs,
  CopyOptions,
  CreateDirectoryOptions,
  DirectoryEntry,
  FileStat,
  RemoveOptions,
  Watch,
  WatchChange,
  WatchOptions,
} from "./services/files/index.ts";
export type { ServerInfo } from "./connection/handshake.ts";
export type { TurnInput } from "./turn/input.ts";
export type { Mcp, McpLogin, McpLoginOptions } from "./services/mcp/index.ts";
export type { ClientOptions } from "./connection/options.ts";
export { RealtimeFailedError } from "./services/realtime/errors.ts";
export type {
  Realtime,
  RealtimeEvent,
  RealtimeOptions,
  RealtimeTextOptions,
} from "./services/realtime/index.ts";
export type { ReviewFinding } from "./review/review-findings.ts";
export { CrashLoopError, type ReconnectOptions } from "./connection/recovery.ts";
export type { CallOptions } from "./connection/requester.ts";
export {
  ApprovalRequiredError,
  InputRequiredError,
  isApprovalDecision,
  serverRequestHandler,
  type Answering,
  type AnyServerRequestHandler,
  type ApprovalDecision,
  type ApprovalHandler,
  type ApprovalRequest,
  type AttestationHandler,
  type BasicDecision,
  type CommandApproval,
  type CommandDecision,
  type ElicitationAnswer,
  type ElicitationHandler,
  type ElicitationRequest,
  type ExecpolicyAmendmentDecision,
  type FileChangeApproval,
  type FileChangeDecision,
  type McpToolApproval,
  type McpToolDecision,
  type NetworkAmendmentDecision,
  type NetworkApproval,
  type NetworkDecision,
  type PermissionsAnswer,
  type PermissionsHandler,
  type PermissionsRequest,
  type RefreshedTokens,
  type ServerRequestHooks,
  type ServerRequestOptions,
  type TokenRefreshHandler,
  type TokenRefreshRequest,
  type UserInputAnswers,
  type UserInputHandler,
  type UserInputRequest,
} from "./requests/index.ts";
export type { ApprovalSpelling, SandboxPolicySpelling, SandboxSpelling } from "./thread/spelling.ts";
export {
  jsonSchema,
  OutputInvalidError,
  type InferInput,
  type InferOutput,
  type Schema,
  type SchemaIssue,
} from "../schema/index.ts";
export {
  initialThreadState,
  reduceThread,
  ThreadFold,
  type ContextMeter,
  type ItemLife,
  type ItemState,
  type LiveTurn,
  type LocalEvent,
  type PendingRequest,
  type ThreadEvent,
  type ThreadState,
  type TurnState,
} from "./state/index.ts";
export { usageSince } from "./state/tokens.ts";
export type {
  SearchSession,
  SearchOptions,
  SearchResults,
  SearchSessionOptions,
} from "./services/search/index.ts";
export {
  ActiveWriterError,
  NoActiveTurnError,
  NoRolloutError,
  ThreadArchivedError,
  ThreadNotFoundError,
  TurnNotSteerableError,
  UnsupportedError,
} from "./connection/server-errors.ts";
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
export { Thread, type OutputOptions, type SendOptions, type SendResult } from "./thread/thread.ts";
export type { ForkThreadOptions, ResumeThreadOptions, StartThreadOptions } from "./thread/thread-options.ts";
export type { TurnEvent } from "./turn/live-event.ts";
export type { ThreadListener } from "./thread/thread-route.ts";
export {
  ok,
  tool,
  type OkOptions,
  type Tool,
  type ToolContent,
  type ToolContext,
  type ToolEffects,
  type ToolExample,
  type ToolNamespace,
  type ToolOk,
  type ToolOptions,
  type ToolResult,
} from "../tools/index.ts";
export { Turn } from "./turn/turn.ts";
export type { RevertTarget } from "./thread/revert.ts";
export type { TurnOptions } from "./turn/turn-options.ts";
export type { TurnResult } from "./turn/turn-result.ts";
export type { TurnUsage } from "./turn/usage.ts";
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
  type Delivery,
} from "../rpc/errors.ts";
export { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
export type { Transport, TransportFactory } from "../rpc/transport.ts";
