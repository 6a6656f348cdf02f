import { needed, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { AskForApproval } from "codexwright/protocol";

/** The settings of an engine that a `config.toml` can hold. */
export interface EngineConfig {
  /** The model of threads that do not name one. */
  readonly model: string;
  /** The approval policy of threads that do not set one; default "on-request". */
  readonly approvalPolicy?: AskForApproval | undefined;
  /** Who decides on approvals; default "user". */
  readonly approvalsReviewer?: "user" | "auto_review" | undefined;
  /** The sandbox of threads that do not set one; default "read-only". */
  readonly sandboxMode?: "read-only" | "workspace-write" | "danger-full-access" | undefined;
  /** More settings of the sandbox "workspace-write". Default: only the working directory and temporary folders are writable, no network. */
  readonly workspaceWrite?: WorkspaceWriteConfig | undefined;
  /** A built-in permission profile such as ":workspace", instead of a sandbox. */
  readonly permissions?: string | undefined;
  /** How much the model reasons, for threads that do not set it; default: the model's own default. */
  readonly effort?: string | undefined;
  /** How much of its reasoning the model summarizes; default "auto". */
  readonly summary?: "auto" | "concise" | "detailed" | "none" | undefined;
  /** Instructions that the model gets before a conversation; default: none. */
  readonly developerInstructions?: string | undefined;
  /** The context window of models in tokens. It is never larger than that of the model. Default: that of the model. */
  readonly contextWindow?: number | undefined;
  /** A thread that uses at least this many tokens is compacted; default and at most: 90% of the context window. */
  readonly compactAt?: number | undefined;
  /** Whether the model's provider requires an OpenAI login; default false. */
  readonly openaiAuth?: boolean | undefined;
  /** How many times a model stream that breaks off is retried; default 5. */
  readonly streamRetries?: number | undefined;
  /** How many times a model request is retried if it fails before the model answers; default 4. */
  readonly requestRetries?: number | undefined;
  /** How many times the engine tries to reach a model's server that it cannot connect to; default 10. */
  readonly connectionRetries?: number | undefined;
  /** How long the engine waits before the first retry; default 200. Each further wait is twice as long. */
  readonly retryDelayMs?: number | undefined;
  /** A response without events for so long has broken off; default 300,000. */
  readonly streamIdleMs?: number | undefined;
  /** How many agents a thread has at a time, with those of its agents; default 6. */
  readonly agentThreads?: number | undefined;
  /** How many levels of agents there are; default 1: agents have no agents. 0 switches them off. */
  readonly agentDepth?: number | undefined;
  /** How long a thread without clients and without a running turn stays loaded; default 1,800,000 (30 minutes). */
  readonly threadUnloadMs?: number | undefined;
}

/** More settings of the sandbox "workspace-write". */
export interface WorkspaceWriteConfig {
  /** Absolute paths of more folders that commands may write to. */
  readonly writableRoots: readonly string[];
  readonly networkAccess: boolean;
  /** Whether the folder of the variable TMPDIR stays read-only. */
  readonly excludeTmpdirEnvVar: boolean;
  /** Whether the folder /tmp stays read-only. */
  readonly excludeSlashTmp: boolean;
}

/** Which kinds of questions are asked. A kind that is switched off is refused instead. */
export type GranularApproval = Extract<AskForApproval, object>["granular"];

const GRANULAR: Table<GranularApproval> = {
  sandbox_approval: needed(is.flag),
  rules: needed(is.flag),
  skill_approval: needed(is.flag),
  request_permissions: needed(is.flag),
  mcp_elicitations: needed(is.flag),
};

export const ENGINE_CONFIG: Table<EngineConfig> = {
  model: needed(is.text),
  approvalPolicy: is.either(
    is.oneOf("untrusted", "on-request", "never"),
    shape<Extract<AskForApproval, object>>({ granular: needed(shape(GRANULAR)) }),
  ),
  sandboxMode: is.oneOf("read-only", "workspace-write", "danger-full-access"),
  approvalsReviewer: is.oneOf("user", "auto_review"),
  permissions: is.nonEmptyText,
  workspaceWrite: shape<WorkspaceWriteConfig>({
    writableRoots: needed(is.listOf(is.text)),
    networkAccess: needed(is.flag),
    excludeTmpdirEnvVar: needed(is.flag),
    excludeSlashTmp: needed(is.flag),
  }),
  effort: is.nonEmptyText,
  summary: is.oneOf("auto", "concise", "detailed", "none"),
  developerInstructions: is.text,
  contextWindow: is.integer(1),
  compactAt: is.integer(0),
  openaiAuth: is.flag,
  streamRetries: is.integer(0),
  requestRetries: is.integer(0),
  connectionRetries: is.integer(0),
  retryDelayMs: is.integer(0),
  streamIdleMs: is.integer(1),
  agentThreads: is.integer(1),
  agentDepth: is.integer(0),
  threadUnloadMs: is.integer(0),
};
