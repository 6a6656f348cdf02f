import { Endpoint, type ClientConnection, type Handlers } from "codexwright/endpoint";
import { checkOptions, needed, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Transport } from "codexwright/rpc";
import type { Tool } from "codexwright/client";
import { MemoryLogins } from "./services/account/memory-logins.ts";
import { accountMethods } from "./services/account/methods.ts";
import { RateLimits } from "./services/account/rate-limits.ts";
import { commandMethods } from "./services/command-methods.ts";
import { MemoryConfig } from "./services/config/memory-config.ts";
import { configMethods } from "./services/config/methods.ts";
import { CURRENT_DIALECT } from "./current-dialect.ts";
import { ENGINE_CONFIG, type EngineConfig } from "./engine-config.ts";
import { checkHooks, type EngineHooks } from "./hooks.ts";
import type { RetryLimits } from "./host.ts";
import { diagnosticMethods } from "./services/diagnostics.ts";
import { fileSearchSessions } from "./services/file-search-sessions.ts";
import { fileMethods } from "./services/file-methods.ts";
import { uuid7 } from "./ids.ts";
import type { LoadedThread } from "./threads/loaded-thread.ts";
import { LoadedThreads } from "./threads/loaded-threads.ts";
import { MemoryThreadStore } from "./threads/memory-thread-store.ts";
import { mcpMethods } from "./services/mcp-methods.ts";
import { NO_CONNECTIONS } from "./services/no-connections.ts";
import { modelMethods } from "./services/model-methods.ts";
import { openMethods } from "./threads/open-methods.ts";
import { skillMethods } from "./services/skill-methods.ts";
import { otherMethods } from "./services/other-methods.ts";
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
  SkillSource,
  ThreadConfig,
  ThreadConfigs,
  ThreadStore,
} from "./ports.ts";
import type { Settings } from "./records/record.ts";
import { changeMethods, readMethods } from "./threads/thread-methods.ts";
import { fixedConfig, fixedConfigs } from "./threads/thread-config.ts";
import { SkillCatalog } from "./threads/skill-catalog.ts";
import { ThreadQueues } from "./threads/thread-queues.ts";
import { defaultsOf } from "./threads/thread-settings.ts";
import { ownHandlers } from "./tools/own-tools.ts";
import type { ToolHandler } from "./tools/tool-handler.ts";
import { emptyLists, refusalOf } from "./services/unsupported-methods.ts";
import { processMethods } from "./services/process-methods.ts";
import { terminalMethods } from "./services/terminal-methods.ts";
import { queueMethods } from "./work/queue-methods.ts";
import { QueueRunner } from "./work/queue-runner.ts";
import { turnMethods } from "./work/turn-methods.ts";
import { turnSettingsMethods } from "./work/turn-settings.ts";
import type { TurnInput } from "./threads/running-turn.ts";
import type { ThreadsHost } from "./threads/threads-host.ts";
import { SYSTEM_CLOCK } from "./turn/system-clock.ts";
import { TurnRun } from "./turn/turn-run.ts";
import { answering, goingOn } from "./work/turn-work.ts";

/** How many pace steps a turn of a sub-agent waits before it begins. */
const HEAD_START = 4;

/** How long a closing server waits for its turns and commands to end. */
const CLOSE_MS = 5_000;

/** How many unexpected errors are kept. */
const MAX_FAILURES = 100;

const NO_MCP_SERVERS: McpServers = { open: () => NO_CONNECTIONS };
const NO_PAUSES: Pace = { step: () => Promise.resolve(), turn: () => Promise.resolve() };

/** The ports and settings of an {@link EngineServer}. */
export interface EngineServerOptions {
  /** Answers model requests. */
  readonly provider: ModelProvider;
  /** The settings that a `config.toml` can hold. */
  readonly config: EngineConfig;
  /** Finds skills. Default: there are none. */
  readonly skills?: SkillSource | undefined;
  /** Finds the settings of each thread. Default: all threads have those of `config`. */
  readonly configs?: ThreadConfigs | undefined;
  /** The configuration that clients read and write. Default: one in memory, which has no effect. */
  readonly configFiles?: ConfigFiles | undefined;
  /** Stores the login of the user. Default: in memory, where no provider uses it. */
  readonly logins?: Logins | undefined;
  /** Runs commands. */
  readonly shell: Shell;
  /** Confines commands. Default: none, so commands run as the shell runs them. */
  readonly sandbox?: Sandbox | undefined;
  /** The user's rules on commands. Default: none. */
  readonly rules?: CommandRules | undefined;
  /** Reads and writes files. */
  readonly files: Files;
  /** Describes the machine. */
  readonly platform: Platform;
  /** Stores threads; default: in memory. */
  readonly store?: ThreadStore | undefined;
  /**
   * Tools of your own, in addition to those of the engine. A tool with the name of one of the engine's tools replaces it.
   * Calls run in this process without an approval. Default: none.
   */
  readonly tools?: readonly (ToolHandler | Tool)[] | undefined;
  /** Functions that are called before and after each tool, and before each request to the model. Default: none. */
  readonly hooks?: EngineHooks | undefined;
  /** The MCP servers; default: none. */
  readonly mcp?: McpServers | undefined;
  /** Pauses between steps; default: no pauses. */
  readonly pace?: Pace | undefined;
  /** Measures time for retries and limits of model requests; default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** The Codex version to behave like; default: the newest. */
  readonly dialect?: Dialect | undefined;
  /** The version that the server reports to clients; default: the version of the dialect. */
  readonly version?: string | undefined;
  /** Problems of the configuration. Each client receives them as `configWarning`. Default: none. */
  readonly configWarnings?: readonly string[] | undefined;
  /** Called with each unexpected error of the engine or of a port. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** The folder for configuration and threads, which clients receive as `codexHome`. */
  readonly home: string;
  /** The working directory of threads that do not set one. */
  readonly cwd: string;
}

/** Checks only that a port is an object. TypeScript checks the rest. */
const PORT = needed(is.object);

export const SERVER_OPTIONS: Table<EngineServerOptions> = {
  provider: PORT,
  config: needed(shape(ENGINE_CONFIG)),
  configs: is.object,
  configFiles: is.object,
  skills: is.object,
  logins: is.object,
  shell: PORT,
  sandbox: is.object,
  rules: is.object,
  files: PORT,
  platform: PORT,
  store: is.object,
  tools: is.listOf(is.object),
  hooks: checkHooks,
  mcp: is.object,
  pace: is.object,
  clock: is.object,
  dialect: is.object,
  version: is.text,
  configWarnings: is.listOf(is.text),
  onFailure: is.func,
  home: needed(is.text),
  cwd: needed(is.text),
};

/** An app-server that speaks the protocol of `codex app-server` and runs turns on the given ports. */
export class EngineServer implements AsyncDisposable {
  readonly #engine: Engine;
  #closed: Promise<void> | undefined;

  constructor(options: EngineServerOptions) {
    checkOptions("new EngineServer()", options, SERVER_OPTIONS);
    this.#engine = new Engine(options);
  }

  /** The methods that the server handles. It answers any other method as the real server answers an unknown method. */
  get methods(): readonly string[] {
    return this.#engine.methods;
  }

  /** The Codex version that the server reports to clients. */
  get version(): string {
    return this.#engine.version;
  }

  /** The first unexpected errors of the engine and its ports, oldest first; at most 100. */
  get failures(): readonly unknown[] {
    return this.#engine.failures;
  }

  /** Serves a client over this transport. The server owns the transport from then on. */
  accept(transport: Transport): ClientConnection {
    return this.#engine.endpoint.accept(transport);
  }

  /**
   * Waits until all running turns have ended, then closes. Until then, clients are still served, because a turn may need
   * their answers. The wait ends early if the signal of any call aborts.
   */
  async shutdown(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await this.#engine.endpoint.shutdown(options);
    await this.close();
  }

  /**
   * Closes every connection, stops running turns without notifying clients of their end, and closes the shell, which
   * kills the commands that still run. Waits for all of that, but at most five seconds for a port that does not react.
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
  readonly provider: ModelProvider;
  readonly shell: Shell;
  readonly sandbox: Sandbox | undefined;
  readonly rules: CommandRules | undefined;
  readonly files: Files;
  readonly platform: Platform;
  readonly store: ThreadStore;
  readonly configs: ThreadConfigs;
  readonly configFiles: ConfigFiles;
  readonly skills: SkillCatalog;
  readonly logins: Logins;
  readonly rateLimits: RateLimits = new RateLimits();
  readonly mcp: McpServers;
  readonly tools: readonly ToolHandler<never>[];
  readonly hooks: EngineHooks;
  readonly pace: Pace;
  readonly dialect: Dialect;
  readonly loaded: LoadedThreads = new LoadedThreads(this, (thread) => this.#queue.advance(thread));
  readonly queues: ThreadQueues;
  readonly version: string;
  readonly home: string;
  readonly config: ThreadConfig;
  readonly defaults: Settings;
  readonly openaiAuth: boolean;
  readonly clock: Clock;
  readonly retries: RetryLimits;
  readonly streamIdleMs: number;
  readonly threadUnloadMs: number;
  readonly agents: { readonly maxThreads: number; readonly maxDepth: number };
  readonly installationId: string = uuid7();
  readonly methods: readonly string[];
  readonly failures: unknown[] = [];
  readonly #queue: QueueRunner = new QueueRunner(this);
  readonly #onFailure: EngineServerOptions["onFailure"];

  constructor(options: EngineServerOptions) {
    const { config } = options;
    this.provider = options.provider;
    this.shell = options.shell;
    this.sandbox = options.sandbox;
    this.rules = options.rules;
    this.files = options.files;
    this.platform = options.platform;
    this.store = options.store ?? new MemoryThreadStore();
    this.queues = new ThreadQueues(this.store);
    this.skills = new SkillCatalog(options.skills, () => this.endpoint.broadcast("skills/changed", {}));
    this.configs = options.configs ?? fixedConfigs(config, this.provider.id);
    this.mcp = options.mcp ?? NO_MCP_SERVERS;
    this.tools = ownHandlers(options.tools ?? [], (error) => this.failed(error));
    this.hooks = options.hooks ?? {};
    this.pace = options.pace ?? NO_PAUSES;
    this.dialect = options.dialect ?? CURRENT_DIALECT;
    this.version = options.version ?? this.dialect.version;
    this.home = options.home;
    this.#onFailure = options.onFailure;
    this.openaiAuth = config.openaiAuth ?? false;
    this.clock = options.clock ?? SYSTEM_CLOCK;
    this.retries = {
      requests: config.requestRetries ?? 4,
      streams: config.streamRetries ?? 5,
      connections: config.connectionRetries ?? 10,
      delayMs: config.retryDelayMs ?? 200,
    };
    this.streamIdleMs = config.streamIdleMs ?? 300_000;
    this.threadUnloadMs = config.threadUnloadMs ?? 1_800_000;
    // As in Codex.
    this.agents = { maxThreads: config.agentThreads ?? 6, maxDepth: config.agentDepth ?? 1 };
    this.config = fixedConfig(config, this.provider.id, options.cwd);
    this.defaults = defaultsOf(this.config, options.cwd);
    this.logins = options.logins ?? new MemoryLogins();
    this.configFiles =
      options.configFiles ??
      new MemoryConfig(
        { model: this.defaults.model, model_provider: this.defaults.modelProvider },
        this.home,
        this.platform,
      );
    const handlers = handlersOf(this, this.#queue);
    this.methods = ["initialize", ...Object.keys(handlers)];
    this.endpoint = new Endpoint({
      handlers,
      refuse: (method) => (this.dialect.knows(method) ? refusalOf(method) : undefined),
      version: this.version,
      info: { codexHome: this.home },
      onInitialized: (connection) => {
        for (const summary of options.configWarnings ?? []) {
          connection.notify("configWarning", { summary, details: null });
        }
        connection.notify("remoteControl/status/changed", {
          status: "disabled",
          serverName: this.platform.hostname,
          installationId: this.installationId,
          environmentId: null,
        });
      },
      onAbandoned: (threadId) => this.loaded.abandoned(threadId),
      onError: (error) => this.failed(error),
    });
  }

  startTurn(thread: LoadedThread, input: TurnInput, rootTurnId: string): void {
    const run = new TurnRun(this, thread, {
      kind: "turn",
      work: answering(input),
      more: goingOn,
      rootTurnId,
    });
    // The delay lets the parent turn ask the model again before this turn begins.
    this.loaded.launch(run, HEAD_START);
  }

  failed(error: unknown): void {
    if (this.failures.length < MAX_FAILURES) this.failures.push(error);
    try {
      this.#onFailure?.(error);
    } catch {
      // An error thrown by `onFailure` is ignored: a turn that reports its failure must still end.
    }
  }

  async close(): Promise<void> {
    this.loaded.close();
    // Turns stop without notifying clients, as when the server's process exits.
    for (const thread of this.loaded.all()) {
      thread.turn?.abandon();
      thread.detach();
    }
    const released = Promise.all(this.loaded.all().map((thread) => thread.release()));
    await this.endpoint[Symbol.asyncDispose]();
    const ports = [this.shell.close?.(), this.mcp.close?.()].map((closed) => closed ?? Promise.resolve());
    await within(CLOSE_MS, [this.loaded.settled(), ...ports]);
    await released;
  }
}

/** Waits until everything has settled, but not longer than this. */
async function within(ms: number, awaited: readonly Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([Promise.all(awaited), late]).finally(() => clearTimeout(timer));
}

/** The handlers of all methods that the dialect has. */
function handlersOf(host: ThreadsHost, queue: QueueRunner): Handlers {
  const all: Handlers = {
    ...heldByClose(host, { ...openMethods(host), ...changeMethods(host), ...queueMethods(host, queue) }),
    ...readMethods(host),
    ...turnMethods(host),
    ...turnSettingsMethods(host),
    ...modelMethods(host),
    ...accountMethods(host),
    ...configMethods(host),
    ...fileMethods(host),
    ...commandMethods(host),
    ...processMethods(host),
    ...terminalMethods(host),
    ...mcpMethods(host),
    ...skillMethods(host),
    ...otherMethods(host),
    ...diagnosticMethods(host),
    ...fileSearchSessions(host),
    ...emptyLists(),
  };
  const own = Object.entries(all).filter(([method]) => host.dialect.knows(method));
  return Object.fromEntries(own);
}

/** Makes closing wait for these handlers, because they take and release locks of threads. */
function heldByClose(host: ThreadsHost, handlers: Handlers): Handlers {
  const all = Object.entries(handlers as Readonly<Record<string, Handler>>).map(
    ([method, handler]): [string, Handler] => [
      method,
      (params, context) => {
        const answer = handler(params, context);
        return answer instanceof Promise ? host.loaded.busy(answer) : answer;
      },
    ],
  );
  return Object.fromEntries(all);
}

type Handler = (params: unknown, context: unknown) => unknown;
