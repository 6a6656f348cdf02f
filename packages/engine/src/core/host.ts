import type { Endpoint } from "codexwright/endpoint";
import type { EngineHooks } from "./hooks.ts";
import type {
  Clock,
  CommandRules,
  ConfigFiles,
  Dialect,
  Files,
  Logins,
  McpServers,
  ModelProvider,
  Pace,
  Platform,
  Sandbox,
  Shell,
  ThreadConfig,
  ThreadConfigs,
  ThreadStore,
} from "./ports.ts";
import type { SkillCatalog } from "./threads/skill-catalog.ts";
import type { Settings } from "./records/record.ts";
import type { RateLimits } from "./services/account/rate-limits.ts";
import type { ToolHandler } from "./tools/tool-handler.ts";

/** The ports and settings that all parts of an engine share. */
export interface EngineHost {
  readonly endpoint: Endpoint;
  readonly provider: ModelProvider;
  readonly shell: Shell;
  /** Absent if nothing confines commands, as in the fake, which runs none. */
  readonly sandbox: Sandbox | undefined;
  /** Absent if no rules apply, besides those that a user adds for a session. */
  readonly rules: CommandRules | undefined;
  readonly files: Files;
  readonly platform: Platform;
  readonly store: ThreadStore;
  readonly configs: ThreadConfigs;
  readonly configFiles: ConfigFiles;
  readonly skills: SkillCatalog;
  readonly logins: Logins;
  /** The limits that the provider last told. */
  readonly rateLimits: RateLimits;
  readonly mcp: McpServers;
  /** The tools of the program that embeds the engine. */
  readonly tools: readonly ToolHandler<never>[];
  readonly hooks: EngineHooks;
  readonly pace: Pace;
  readonly dialect: Dialect;
  readonly version: string;
  readonly home: string;
  /** The configuration of the server's folder, and the settings of a thread in it. */
  readonly config: ThreadConfig;
  readonly defaults: Settings;
  /** Whether the model's provider requires an OpenAI login. */
  readonly openaiAuth: boolean;
  readonly clock: Clock;
  /** How often failed model requests are repeated. */
  readonly retries: RetryLimits;
  /** A response without events for so long has broken off. */
  readonly streamIdleMs: number;
  /** How long a thread without clients and without a running turn stays loaded. */
  readonly threadUnloadMs: number;
  /** How many agents a thread has at a time, with those of its agents, and how many levels of agents. */
  readonly agents: { readonly maxThreads: number; readonly maxDepth: number };
  readonly installationId: string;
  /** Records an unexpected error of the engine or of a port. */
  failed(error: unknown): void;
}

/** How often failed model requests are repeated. */
export interface RetryLimits {
  /** Repetitions of a request that failed before the model began to answer. Clients are not notified of them. */
  readonly requests: number;
  /** Repetitions of a response that broke off. */
  readonly streams: number;
  /** Repetitions of a request that did not reach the model's server. */
  readonly connections: number;
  /** The first wait. Each further wait is twice as long. */
  readonly delayMs: number;
}
