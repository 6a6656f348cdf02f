import type { Endpoint } from "codexwright/endpoint";
import type {
  Dialect,
  Files,
  McpServers,
  ModelProvider,
  Pace,
  Platform,
  Shell,
  ThreadStore,
} from "./ports.ts";
import type { Settings } from "./records/record.ts";

/** The ports and settings that all parts of an engine share. */
export interface EngineHost {
  readonly endpoint: Endpoint;
  readonly model: ModelProvider;
  readonly shell: Shell;
  readonly files: Files;
  readonly platform: Platform;
  readonly store: ThreadStore;
  readonly mcp: McpServers;
  readonly pace: Pace;
  readonly dialect: Dialect;
  readonly version: string;
  readonly codexHome: string;
  readonly defaults: Settings;
  /** Whether the model's provider wants a login. */
  readonly openaiAuth: boolean;
  /** How often a broken stream is asked for again. */
  readonly streamRetries: number;
  readonly installationId: string;
  /** Reports a failure of the engine or of a port that no client learns of. */
  failed(error: unknown): void;
  /** Tokens in use at which a thread is compacted before its next turn. */
  readonly compactAt: number;
}
