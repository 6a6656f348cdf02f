import type { Endpoint } from "codexwright/endpoint";
import type { Dialect } from "./dialect.ts";
import type { FakeModel } from "./fake-model.ts";
import type { FakeMcpServers } from "./mcp-servers.ts";
import type { FakeThread } from "./fake-thread.ts";
import type { Pace } from "./pace.ts";
import type { FakeSettings } from "./record.ts";
import type { TurnInput } from "./turn-run.ts";
import type { ThreadStore } from "./store.ts";
import type { LoadedThreads } from "./loaded-threads.ts";

/** What a command that is not executed is said to have done. */
export interface CommandOutcome {
  /** What it writes to stdout. Default "". */
  readonly output?: string;
  /** What it writes to stderr; within a turn the two are one. Default "". */
  readonly stderr?: string;
  /** Default 0. */
  readonly exitCode?: number;
  /** Plays a command of `command/exec` after that: one that reads, or takes its time. It may say the exit code. */
  readonly run?: (io: CommandIo) => number | void | Promise<number | void>;
}

/** What a command that is played has to do with. */
export interface CommandIo {
  readonly write: (text: string, stream?: "stdout" | "stderr") => void;
  /** What the client writes next; `undefined` at the end. */
  readonly read: () => Promise<string | undefined>;
  /** Aborts when it is ended from outside. */
  readonly signal: AbortSignal;
}

/** Says what a command would have done; `undefined` leaves it to the defaults. */
export type CommandScript = (command: string) => CommandOutcome | undefined;

/** What the parts of a fake server share. */
export interface FakeHost {
  readonly endpoint: Endpoint;
  readonly model: FakeModel;
  readonly store: ThreadStore;
  readonly loaded: LoadedThreads;
  readonly mcp: FakeMcpServers;
  readonly dialect: Dialect;
  readonly version: string;
  readonly codexHome: string;
  readonly defaults: FakeSettings;
  readonly commands: CommandScript;
  /** Whether the model's provider wants a login. */
  readonly openaiAuth: boolean;
  /** How often a broken stream is asked for again. */
  readonly streamRetries: number;
  readonly installationId: string;
  readonly pace: Pace;
  /** Starts a turn that no client asked for. */
  startTurn(thread: FakeThread, input: TurnInput, rootTurnId: string): void;
  /** A mistake in here, or of the script's functions, that no client is told. */
  failed(error: unknown): void;
  /** Tokens in use at which a thread is compacted before its next turn. */
  readonly compactAt: number;
}
