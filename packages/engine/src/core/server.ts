import { Endpoint, type ClientConnection, type Handlers } from "codexwright/endpoint";
import { checkOptions, needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Transport } from "codexwright/rpc";
import { accountMethods } from "./services/account-methods.ts";
import { commandMethods } from "./services/command-methods.ts";
import { configMethods } from "./services/config-methods.ts";
import { CURRENT_DIALECT } from "./current-dialect.ts";
import { fileMethods } from "./services/file-methods.ts";
import { uuid7 } from "./ids.ts";
import type { LoadedThread } from "./threads/loaded-thread.ts";
import { LoadedThreads } from "./threads/loaded-threads.ts";
import { MemoryThreadStore } from "./threads/memory-thread-store.ts";
import { modelMethods } from "./services/model-methods.ts";
import { openMethods } from "./threads/open-methods.ts";
import { otherMethods } from "./services/other-methods.ts";
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
import { CONTEXT_WINDOW, type Settings } from "./records/record.ts";
import { changeMethods, readMethods } from "./threads/thread-methods.ts";
import { policyOf } from "./threads/thread-settings.ts";
import { turnMethods } from "./work/turn-methods.ts";
import type { TurnInput } from "./threads/running-turn.ts";
import type { ThreadsHost } from "./threads/threads-host.ts";
import { TurnRun } from "./turn/turn-run.ts";
import { answering } from "./work/turn-work.ts";

/** How many pace steps a turn of a sub-agent waits before it begins. */
const HEAD_START = 4;

const NO_MCP_SERVERS: McpServers = { list: () => [], find: () => undefined, approved: () => false };
const NO_PAUSES: Pace = { step: () => Promise.resolve(), turn: () => Promise.resolve() };

/** The ports and settings of an {@link EngineServer}. */
export interface EngineServerOptions {
  /** Answers model requests. */
  readonly model: ModelProvider;
  /** The model of threads that do not name one. */
  readonly defaultModel: string;
  /** Runs commands. */
  readonly shell: Shell;
  /** Reads and writes files. */
  readonly files: Files;
  /** Describes the machine. */
  readonly platform: Platform;
  /** Stores threads; default: in memory. */
  readonly store?: ThreadStore | undefined;
  /** The MCP servers; default: none. */
  readonly mcp?: McpServers | undefined;
  /** Pauses between steps; default: no pauses. */
  readonly pace?: Pace | undefined;
  /** The Codex version to behave like; default: the newest. */
  readonly dialect?: Dialect | undefined;
  /** The version that the server reports to clients; default: the version of the dialect. */
  readonly version?: string | undefined;
  /** The folder that clients receive as `codexHome`. */
  readonly codexHome: string;
  /** The working directory of threads that do not set one. */
  readonly cwd: string;
  /** The approval policy of threads that do not set one; default "on-request". */
  readonly approvalPolicy?: "untrusted" | "on-request" | "never" | undefined;
  /** The sandbox of threads that do not set one; default "read-only". */
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access" | undefined;
  /** A thread that uses at least this many tokens is compacted; default: 90% of the context window. */
  readonly compactAt?: number | undefined;
  /** Whether the model's provider requires an OpenAI login; default false. */
  readonly openaiAuth?: boolean | undefined;
  /** How many times a model stream that breaks off is retried; default 0. */
  readonly streamRetries?: number | undefined;
}

/** Checks only that a port is an object. TypeScript checks the rest. */
const PORT = needed(is.object);

const OPTIONS: Table<EngineServerOptions> = {
  model: PORT,
  defaultModel: needed(is.text),
  shell: PORT,
  files: PORT,
  platform: PORT,
  store: is.object,
  mcp: is.object,
  pace: is.object,
  dialect: is.object,
  version: is.text,
  codexHome: needed(is.text),
  cwd: needed(is.text),
  approvalPolicy: is.oneOf("untrusted", "on-request", "never"),
  sandbox: is.oneOf("read-only", "workspace-write", "danger-full-access"),
  compactAt: is.integer(0),
  openaiAuth: is.flag,
  streamRetries: is.integer(0),
};

/** An app-server that speaks the protocol of `codex app-server` and runs turns on the given ports. */
export class EngineServer implements AsyncDisposable {
  readonly #engine: Engine;
  #closed: Promise<void> | undefined;

  constructor(options: EngineServerOptions) {
    checkOptions("new EngineServer()", options, OPTIONS);
    this.#engine = new Engine(options);
  }

  /** The methods that the server handles. It answers any other method as the real server answers an unknown method. */
  get methods(): readonly string[] {
    return this.#engine.methods;
  }

  /** The unexpected errors of the engine and its ports so far, oldest first. */
  get failures(): readonly unknown[] {
    return this.#engine.failures;
  }

  /** Serves a client over this transport. The server owns the transport from then on. */
  accept(transport: Transport): ClientConnection {
    return this.#engine.endpoint.accept(transport);
  }

  /**
   * Closes every connection and abandons running turns, without notifying clients of their end. Commands that turns
   * started are not killed.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#engine.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The state that all handlers share. */
class Engine implements ThreadsHost {
  readonly endpoint: Endpoint;
  readonly model: ModelProvider;
  readonly shell: Shell;
  readonly files: Files;
  readonly platform: Platform;
  readonly store: ThreadStore;
  readonly mcp: McpServers;
  readonly pace: Pace;
  readonly dialect: Dialect;
  readonly loaded: LoadedThreads = new LoadedThreads(this);
  readonly version: string;
  readonly codexHome: string;
  readonly defaults: Settings;
  readonly compactAt: number;
  readonly openaiAuth: boolean;
  readonly streamRetries: number;
  readonly installationId: string = uuid7();
  readonly methods: readonly string[];
  readonly failures: unknown[] = [];

  constructor(options: EngineServerOptions) {
    this.model = options.model;
    this.shell = options.shell;
    this.files = options.files;
    this.platform = options.platform;
    this.store = options.store ?? new MemoryThreadStore();
    this.mcp = options.mcp ?? NO_MCP_SERVERS;
    this.pace = options.pace ?? NO_PAUSES;
    this.dialect = options.dialect ?? CURRENT_DIALECT;
    this.version = options.version ?? this.dialect.version;
    this.codexHome = options.codexHome;
    this.compactAt = options.compactAt ?? CONTEXT_WINDOW * 0.9;
    this.openaiAuth = options.openaiAuth ?? false;
    this.streamRetries = options.streamRetries ?? 0;
    this.defaults = {
      model: options.defaultModel,
      modelProvider: options.model.id,
      cwd: options.cwd,
      approvalPolicy: options.approvalPolicy ?? "on-request",
      approvalsReviewer: "user",
      sandbox: policyOf(options.sandbox ?? "read-only"),
      permissions: options.sandbox === undefined ? ":read-only" : null,
      effort: null,
      summary: null,
      personality: null,
      collaborationMode: null,
    };
    const handlers = handlersOf(this);
    this.methods = ["initialize", ...Object.keys(handlers)];
    this.endpoint = new Endpoint({
      handlers,
      version: this.version,
      info: { codexHome: this.codexHome },
      onInitialized: (connection) =>
        connection.notify("remoteControl/status/changed", {
          status: "disabled",
          serverName: this.platform.hostname,
          installationId: this.installationId,
          environmentId: null,
        }),
      onError: (error) => this.failed(error),
    });
  }

  startTurn(thread: LoadedThread, input: TurnInput, rootTurnId: string): void {
    const run = new TurnRun(this, thread, { kind: "turn", work: answering(input), rootTurnId });
    // The delay lets the parent turn ask the model again before this turn begins.
    this.loaded.launch(run, HEAD_START);
  }

  failed(error: unknown): void {
    this.failures.push(error);
  }

  async close(): Promise<void> {
    // Turns stop without notifying clients, as when the server's process exits.
    for (const { turn } of this.loaded.all()) turn?.abandon();
    for (const { record } of this.loaded.all()) this.store.release(record.id, this);
    await this.endpoint[Symbol.asyncDispose]();
  }
}

/** The handlers of all methods that the dialect has. */
function handlersOf(host: ThreadsHost): Handlers {
  const all: Handlers = {
    ...openMethods(host),
    ...readMethods(host),
    ...changeMethods(host),
    ...turnMethods(host),
    ...modelMethods(host),
    ...accountMethods(host),
    ...configMethods(host),
    ...fileMethods(host),
    ...commandMethods(host),
    ...otherMethods(host),
  };
  const own = Object.entries(all).filter(([method]) => host.dialect.knows(method));
  return Object.fromEntries(own);
}
