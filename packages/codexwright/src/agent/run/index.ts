export { CodexAgent } from "./agent.ts";
export type { BundleOptions } from "./bundle.ts";
export {
  ADAPTER,
  type AgentEvent,
  type AgentEventBody,
  type AskedApproval,
  type EventStamp,
  type RenderedTool,
  type RunFailure,
} from "./events.ts";
export type {
  AgentAuth,
  AgentOptions,
  ChatgptTokens,
  ModelOptions,
  RetryOptions,
  RunArguments,
  RunOptions,
  RunSettings,
  RunWorkspace,
  WorkspaceCheckpoint,
} from "./options.ts";
export { Run, type OutputOf, type RunResult } from "./run.ts";
export { toJsonl, transcriptOf, type TranscriptEntry, type TranscriptKind } from "./transcript.ts";
