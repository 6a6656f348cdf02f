import type { ModelListParams, ThreadListParams } from "../../protocol/index.ts";
import * as is from "../../rpc/options/check.ts";
import type { Table } from "../../rpc/options/table.ts";
import { APPROVAL, SANDBOX } from "../turn/options/spelling.ts";
import type { ForkThreadOptions, ResumeThreadOptions, StartThreadOptions } from "./thread-options.ts";

/** Options of every request that opens a thread. The server validates the options that have no check here. */
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

/** The parameters of every page of the thread list. */
export const THREADS: Table<Omit<ThreadListParams, "cursor">> = {
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

export const MODELS: Table<Omit<ModelListParams, "cursor">> = {
  limit: is.anything,
  includeHidden: is.anything,
};
