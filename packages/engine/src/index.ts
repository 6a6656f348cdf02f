export type {
  Clock,
  CommandRules,
  ConfigFileLayer,
  ConfigFiles,
  ConfigPlace,
  ConfigWriteOptions,
  ConfigWritten,
  ContextWindow,
  Dialect,
  FileEntry,
  FileMetadata,
  Files,
  JudgedCommand,
  JudgedPart,
  Lease,
  McpAnnotations,
  McpApprovalMode,
  McpCall,
  McpCallError,
  McpConnections,
  McpContext,
  McpElicitation,
  McpHttpSettings,
  McpLogin,
  McpLoginOptions,
  McpResourceKind,
  McpResourcePage,
  McpResult,
  McpServer,
  McpServerSettings,
  McpServerState,
  McpServers,
  McpStartup,
  McpStdioSettings,
  McpThread,
  McpTool,
  McpToolInfo,
  McpToolResult,
  ModelEvent,
  ModelProvider,
  ModelRequest,
  ModelUsage,
  Pace,
  Paths,
  Platform,
  RegularFile,
  ResolvedPolicy,
  RuleJudgement,
  RuleVerdict,
  Sandbox,
  SandboxStatus,
  Shell,
  ShellCommand,
  ShellProcess,
  TerminalSize,
  FoundInstructions,
  InstructionFile,
  StoredThread,
  ThreadBatch,
  ThreadConfig,
  ThreadConfigs,
  ThreadStore,
  WrappedCommand,
} from "./core/ports.ts";
export type { ItemRecord, Settings, ThreadInfo, ThreadRecord, TurnRecord } from "./core/records/record.ts";
export type { RolloutRecord } from "./core/records/rollout-record.ts";
export { ThreadInUseError, ThreadStoreError } from "./core/records/store-errors.ts";
export type { EngineConfig } from "./core/engine-config.ts";
export { HookError, type EngineHooks, type HookContext } from "./core/hooks.ts";
export type { ConfigTable, ConfigValue } from "./core/config-table.ts";
export { ConfigWriteError, type ConfigWriteReason } from "./core/services/config/write-error.ts";
export { CommandStartError } from "./core/commands/errors.ts";
export { EngineServer, type EngineServerOptions } from "./core/server.ts";
export { MemoryThreadStore } from "./core/threads/memory-thread-store.ts";
export type { CallOutcome, ToolCall, ToolHandler, TurnView } from "./core/tools/tool-handler.ts";
export { ModelError, type ModelErrorDetails } from "./core/turn/model-error.ts";
export type { WireObject } from "./core/wire-object.ts";
