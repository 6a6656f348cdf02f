/**
 * The interfaces between the engine and its environment. The engine handles the protocol itself, and uses
 * these interfaces for everything else.
 */
export type { Clock } from "./ports/clock.ts";
export type {
  ConfigFileLayer,
  ConfigFiles,
  ConfigWriteOptions,
  ConfigWritten,
} from "./ports/config-files.ts";
export type {
  ConfigPlace,
  FoundInstructions,
  InstructionFile,
  ThreadConfig,
  ThreadConfigs,
} from "./ports/thread-configs.ts";
export type { Dialect } from "./ports/dialect.ts";
export type { FileEntry, FileMetadata, Files, RegularFile } from "./ports/files.ts";
export type {
  McpAnnotations,
  McpCall,
  McpCallError,
  McpConnections,
  McpContext,
  McpElicitation,
  McpLogin,
  McpLoginOptions,
  McpResourceKind,
  McpResourcePage,
  McpResult,
  McpServer,
  McpServerState,
  McpServers,
  McpStartup,
  McpThread,
  McpTool,
  McpToolInfo,
  McpToolResult,
} from "./ports/mcp.ts";
export type {
  McpApprovalMode,
  McpHttpSettings,
  McpServerSettings,
  McpStdioSettings,
} from "./ports/mcp-settings.ts";
export type { LoginKind, Logins } from "./ports/logins.ts";
export type { Pace } from "./ports/pace.ts";
export type { Paths, Platform } from "./ports/platform.ts";
export type { ContextWindow, ModelEvent, ModelProvider, ModelRequest, ModelUsage } from "./ports/provider.ts";
export type { CommandRules, JudgedCommand, JudgedPart, RuleJudgement, RuleVerdict } from "./ports/rules.ts";
export type { ResolvedPolicy, Sandbox, SandboxStatus, WrappedCommand } from "./ports/sandbox.ts";
export type { FoundSkills, Skill, SkillSource } from "./ports/skills.ts";
export type { Shell, ShellCommand, ShellProcess, TerminalSize } from "./ports/shell.ts";
export type { Lease, StoredThread, ThreadBatch, ThreadStore } from "./ports/thread-store.ts";
