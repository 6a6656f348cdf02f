import * as is from "../../rpc/options/check.ts";
import { needed, type Table } from "../../rpc/options/table.ts";
import type {
  ListModelsParams,
  ListThreadsParams,
  StartReviewParams,
  StartTurnParams,
  SteerTurnParams,
} from "../spec-002/spec-types.ts";
import { APPROVAL, SANDBOX } from "../turn/spelling.ts";
import type { ForkThreadOptions, ResumeThreadOptions, StartThreadOptions } from "./thread-options.ts";
import { TURN_LIMITS, TURN_OPTIONS } from "../turn/turn-options.ts";

/** Options of every request that opens a thread. The server validates the values of the others. */
const COMMON = {
  sandbox: is.orNull(SANDBOX),
  approvalPolicy: is.orNull(APPROVAL),
  mcpServers: is.recordOf(is.object),
  tools: is.listOf(is.object),
  model: is.orNull(is.text),
  cwd: is.orNull(is.text),
  config: is.orNull(is.object),
  modelProvider: is.anything,
  serviceTier: is.anything,
  runtimeWorkspaceRoots: is.anything,
  approvalsReviewer: is.anything,
  permissions: is.anything,
  baseInstructions: is.anything,
  developerInstructions: is.anything,
};

export const START_THREAD: Table<StartThreadOptions> = {
  ...COMMON,
  allowProviderModelFallback: is.anything,
  serviceName: is.anything,
  personality: is.anything,
  multiAgentMode: is.anything,
  ephemeral: is.anything,
  historyMode: is.anything,
  sessionStartSource: is.anything,
  threadSource: is.anything,
  projectId: is.anything,
  daybreakEnabled: is.anything,
  environments: is.anything,
  selectedCapabilityRoots: is.anything,
  mockExperimentalField: is.anything,
  experimentalRawEvents: is.anything,
};

export const RESUME_THREAD: Table<ResumeThreadOptions> = {
  ...COMMON,
  history: is.anything,
  path: is.anything,
  personality: is.anything,
  excludeTurns: is.anything,
  initialTurnsPage: is.anything,
};

export const FORK_THREAD: Table<ForkThreadOptions> = {
  ...COMMON,
  experimentalPredictionMode: is.anything,
  experimentalDisablePredictionMcp: is.anything,
  lastTurnId: is.anything,
  beforeTurnId: is.anything,
  path: is.anything,
  ephemeral: is.anything,
  attachToSource: is.anything,
  threadSource: is.anything,
  excludeTurns: is.anything,
  deferGoalContinuation: is.anything,
};

/** What every page of the list of threads is asked with. */
export const THREADS: Table<Omit<ListThreadsParams, "cursor">> = {
  limit: is.anything,
  excludedThreadIds: is.anything,
  sortKey: is.anything,
  sortDirection: is.anything,
  modelProviders: is.anything,
  sourceKinds: is.anything,
  originators: is.anything,
  archived: is.anything,
  sectionId: is.anything,
  projectId: is.anything,
  cwd: is.anything,
  useStateDbOnly: is.anything,
  searchTerm: is.anything,
  parentThreadId: is.anything,
  ancestorThreadId: is.anything,
  attachedToThreadId: is.anything,
};

export const LIST_THREADS: Table<ListThreadsParams> = { cursor: is.anything, ...THREADS };

export const MODELS: Table<Omit<ListModelsParams, "cursor">> = {
  limit: is.anything,
  includeHidden: is.anything,
};

export const LIST_MODELS: Table<ListModelsParams> = { cursor: is.anything, ...MODELS };

/** The input is checked when it is brought into the wire's form. */
export const START_TURN: Table<StartTurnParams> = {
  ...TURN_OPTIONS,
  threadId: needed(is.text),
  input: needed(is.anything),
};

export const STEER_TURN: Table<SteerTurnParams> = {
  threadId: needed(is.text),
  expectedTurnId: needed(is.text),
  input: needed(is.anything),
  clientUserMessageId: is.anything,
  responsesapiClientMetadata: is.anything,
  responsesapiClientMetadataPatch: is.anything,
  additionalContext: is.anything,
};

export const START_REVIEW: Table<StartReviewParams> = {
  ...TURN_LIMITS,
  threadId: needed(is.text),
  target: needed(is.object),
  delivery: is.oneOf("inline", "detached"),
  appendToOriginalThread: is.flag,
};
