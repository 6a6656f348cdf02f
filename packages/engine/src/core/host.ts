import type { Endpoint } from "codexwright/endpoint";
import type { LoadedThread } from "./threads/loaded-thread.ts";
import type { LoadedThreads } from "./threads/loaded-threads.ts";
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
import type { TurnInput } from "./turn/turn-run.ts";

/** What the parts of an engine share. */
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
  readonly loaded: LoadedThreads;
  readonly version: string;
  readonly codexHome: string;
  readonly defaults: Settings;
  /** Whether the model's provider wants a login. */
  readonly openaiAuth: boolean;
  /** How often a broken stream is asked for again. */
  readonly streamRetries: number;
  readonly installationId: string;
  /** Starts a turn that no client asked for. */
  startTurn(thread: LoadedThread, input: TurnInput, rootTurnId: string): void;
  /** A mistake in here, or in a port, that no client is told. */
  failed(error: unknown): void;
  /** Tokens in use at which a thread is compacted before its next turn. */
  readonly compactAt: number;
}
