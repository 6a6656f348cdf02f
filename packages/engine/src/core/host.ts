import type { Endpoint } from "codexwright/endpoint";
import type {
  CommandRules,
  Dialect,
  Files,
  McpServers,
  ModelProvider,
  Pace,
  Platform,
  Sandbox,
  Shell,
  ThreadStore,
} from "./ports.ts";
import type { Settings } from "./records/record.ts";
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
  readonly mcp: McpServers;
  /** The tools of the program that embeds the engine. */
  readonly tools: readonly ToolHandler<never>[];
  readonly pace: Pace;
  readonly dialect: Dialect;
  readonly version: string;
  readonly home: string;
  readonly defaults: Settings;
  /** Whether the model's provider requires an OpenAI login. */
  readonly openaiAuth: boolean;
  /** How many times a broken model stream is retried. */
  readonly streamRetries: number;
  readonly installationId: string;
  /** Records an unexpected error of the engine or of a port. */
  failed(error: unknown): void;
  /** A thread that uses at least this many tokens is compacted before its next turn. */
  readonly compactAt: number;
}
