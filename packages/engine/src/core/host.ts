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

/** The state and services that the parts of an engine share. */
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
  /** Whether the model provider needs an OpenAI login. */
  readonly openaiAuth: boolean;
  /** How often the engine repeats a request whose stream broke off. */
  readonly streamRetries: number;
  readonly installationId: string;
  /** Records an error of the engine or of a port that is not reported to a client. */
  failed(error: unknown): void;
  /** The number of tokens in use at which a thread is compacted before its next turn. */
  readonly compactAt: number;
}
