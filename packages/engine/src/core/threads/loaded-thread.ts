import type {
  ServerNotifications,
  Thread,
  ThreadActiveFlag,
  ThreadStatus,
  TurnStatus,
} from "codexwright/protocol";
import type { ThreadChannel } from "codexwright/endpoint";
import { GrantedList } from "./grants.ts";
import { SessionRules } from "./session-rules.ts";
import { ExecSessions } from "../commands/exec-sessions.ts";
import type { EngineHost } from "../host.ts";
import { unixSeconds } from "../ids.ts";
import { pathOf } from "../records/record-path.ts";
import type {
  FoundInstructions,
  FoundSkills,
  Lease,
  McpConnections,
  McpStartup,
  ThreadConfig,
} from "../ports.ts";
import { ThreadStoreError } from "../records/store-errors.ts";
import type { Settings, ThreadInfo, ThreadRecord } from "../records/record.ts";
import type { RolloutRecord } from "../records/rollout-record.ts";
import { compacted, metaEntry, responseItem, settingsApplied, type Entry } from "../records/to-rollout.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { WireObject } from "../wire-object.ts";

/** A loaded thread: its record, its subscribers and its running work. */
export class LoadedThread {
  readonly record: ThreadRecord;
  readonly host: EngineHost;
  /** The configuration with which the thread was opened. */
  readonly config: ThreadConfig;
  /** The instructions for agents in the folder of the thread. */
  instructions: FoundInstructions;
  /** The skills of the folder of the thread. */
  skills: FoundSkills = { skills: [], errors: [] };
  readonly channel: ThreadChannel;
  /** The names of the only tools that the model may use. Absent if it may use all. */
  readonly only?: ReadonlySet<string>;
  /** The running turn, if there is one. */
  turn: RunningTurn | undefined;
  /** The actions that the user has allowed for as long as the thread is loaded. */
  readonly rules: SessionRules = new SessionRules();
  /** Whether the model of the parent must still be notified of the agent's end. */
  isWatched = false;
  /** How many lines of the thread's file could not be read. */
  skipped = 0;
  /** Whether queued submissions wait for a client, because the user has interrupted a turn. */
  queuePaused = false;
  /** How long the thread stays loaded without a client and without a running turn. */
  unloadMs: number;
  /** The permissions that the user has granted to the model. */
  readonly grants: GrantedList = new GrantedList();
  /** The commands of the model that run, and those whose end it has not read. */
  readonly background: ExecSessions = new ExecSessions();
  /** The MCP servers of the thread. */
  readonly mcp: McpConnections;
  readonly #mcpUpdates: McpStartup[] = [];
  #mcpTold = false;
  #flags: ThreadActiveFlag[] = [];
  #failed = false;
  #detached = false;
  #told: string;
  #unwritten: RolloutRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #lease: Lease | undefined;
  #released = false;
  /** Whether the thread's file has begun. */
  #begun: boolean;

  readonly #rested: (thread: LoadedThread, turn: RunningTurn) => void;

  /**
   * Pass the lease of a thread that has a file. A new thread is claimed when its file begins. `rested` is called when a
   * turn has ended.
   */
  constructor(
    host: EngineHost,
    record: ThreadRecord,
    config: ThreadConfig,
    rested: (thread: LoadedThread, turn: RunningTurn) => void,
    lease?: Lease,
  ) {
    this.config = config;
    this.instructions = config.instructions;
    this.#rested = rested;
    this.unloadMs = host.threadUnloadMs;
    this.#lease = lease;
    this.#begun = lease !== undefined;
    this.host = host;
    this.record = record;
    this.channel = host.endpoint.thread(record.id);
    const { cwd } = record.settings;
    this.mcp = host.mcp.open({ id: record.id, cwd, servers: config.mcpServers });
    this.#told = JSON.stringify(this.status);
  }

  get id(): string {
    return this.record.id;
  }

  /** How many threads are above this one: 0 for a thread of a client, 1 for an agent of such a thread. */
  get agentDepth(): number {
    return depthOf(this.record);
  }

  get settings(): Settings {
    return this.record.settings;
  }

  get status(): ThreadStatus {
    if (this.turn) return { type: "active", activeFlags: [...new Set(this.#flags)] };
    return { type: this.#failed ? "systemError" : "idle" };
  }

  /** The running turn. If it is about to end, waits for its end first. */
  async active(): Promise<RunningTurn | undefined> {
    if (this.turn?.ending) await this.turn.ended;
    return this.turn;
  }

  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    this.channel.notify(method, params);
  }

  /** Broadcasts the status of the thread if it has changed. */
  tellStatus(status: ThreadStatus = this.status): void {
    const text = JSON.stringify(status);
    if (text === this.#told) return;
    this.#told = text;
    this.host.endpoint.broadcast("thread/status/changed", { threadId: this.id, status });
  }

  /** Broadcasts the status even if it has not changed, for clients that do not know the thread yet. */
  announce(): void {
    this.#told = "";
    this.tellStatus();
  }

  /** Clears the turn after its end. The status shows a failure until the next turn. */
  settle(turn: RunningTurn, status: TurnStatus): void {
    if (this.turn === turn) this.turn = undefined;
    this.#flags = [];
    this.#failed = status === "failed";
    this.queuePaused = status === "interrupted";
    this.tellStatus();
    this.#rested(this, turn);
  }

  /** Sets a status flag while the thread waits for its user. Returns a function that clears the flag. */
  wait(flag: ThreadActiveFlag): () => void {
    this.#flags.push(flag);
    this.tellStatus();
    return () => {
      const at = this.#flags.indexOf(flag);
      if (at === -1) return;
      this.#flags.splice(at, 1);
      if (this.turn) this.tellStatus();
    };
  }

  /** Called when the server closes. Nothing that still runs may then change the thread, which another server may load. */
  detach(): void {
    this.#detached = true;
    this.background.abandon();
  }

  /** Warns clients of instructions that were left out. */
  warnOfInstructions(): void {
    for (const message of this.instructions.warnings) this.notify("warning", { threadId: this.id, message });
  }

  /** Warns clients, once, if lines of the thread's file could not be read. */
  warnOfSkipped(): void {
    if (this.skipped === 0) return;
    const message = `${this.skipped} lines of the thread's file could not be read and were skipped.`;
    this.skipped = 0;
    this.notify("warning", { threadId: this.id, message });
  }

  /** Appends items to the conversation that the model gets. */
  remember(...items: readonly WireObject[]): void {
    if (this.#detached) return;
    this.record.history.push(...items);
    for (const item of items) this.note(responseItem(item));
  }

  /** Replaces the conversation that the model gets. */
  rewrite(items: readonly WireObject[]): void {
    if (this.#detached) return;
    this.record.history = [...items];
    this.note(compacted(items));
  }

  /** Adds an entry to the records of the thread, and returns its ordinal. `save` or `flush` writes it. */
  note([type, payload]: Entry): number {
    const ordinal = this.record.nextOrdinal++;
    if (!this.record.ephemeral && !this.#detached) this.#unwritten.push(recordOf(ordinal, type, payload));
    return ordinal;
  }

  /** Writes settings that have changed since the last turn, so that they survive if the thread is unloaded. */
  keepSettings(): void {
    if (!this.record.materialized) return;
    this.note(settingsApplied(this.id, this.settings));
    this.flush().catch((error: unknown) => this.host.failed(error));
  }

  /** Writes what is not written yet, without waiting for it. A failure fails the running turn. */
  save(): void {
    if (this.#detached) return;
    this.record.updatedAtMs = Date.now();
    this.flush().catch((error: unknown) => this.turn?.fail(error));
  }

  /**
   * Writes what is not written yet. If `durable` is true, it survives a crash of the machine from then on. Rejects if the
   * store fails; the records then wait for the next call.
   */
  flush(durable: boolean = false): Promise<void> {
    if (this.#released || this.record.ephemeral || !this.record.materialized) return Promise.resolve();
    const written = this.#writing.then(() => this.#write(durable));
    this.#writing = written.catch(() => {});
    return written;
  }

  /** Begins the file of a fork or of a truncated history. */
  branch(base: { readonly id: string; readonly before?: string | undefined }): Promise<string | undefined> {
    const branched = this.#writing.then(() => this.#branch(base));
    this.#writing = settled(branched);
    return branched;
  }

  /** Starts the MCP servers. Resolves when each has started or failed. */
  startMcp(): Promise<void> {
    return this.mcp.start((update) => {
      if (this.#mcpTold) this.#tellMcp(update);
      else this.#mcpUpdates.push(update);
    });
  }

  /** From now on, clients receive how far each MCP server is, and what came before. */
  announceMcp(): void {
    this.#mcpTold = true;
    for (const update of this.#mcpUpdates.splice(0)) this.#tellMcp(update);
  }

  #tellMcp(update: McpStartup): void {
    const failed = update.status === "failed";
    this.notify("mcpServer/startupStatus/updated", {
      threadId: this.id,
      name: update.name,
      status: update.status,
      error: failed ? update.error : null,
      failureReason: failed && update.reauthenticate ? "reauthenticationRequired" : null,
    });
  }

  /** Lets other writers have the thread, after everything is written. */
  async release(): Promise<void> {
    const stopped = this.mcp.close();
    const written = this.flush(true);
    this.#released = true;
    await written.catch((error: unknown) => this.host.failed(error));
    await this.#writing;
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.release();
    await stopped.catch((error: unknown) => this.host.failed(error));
  }

  async #branch(base: {
    readonly id: string;
    readonly before?: string | undefined;
  }): Promise<string | undefined> {
    // The server is closing, and another writer may have the thread by now.
    if (this.#released) throw new ThreadStoreError("write a thread", "ECANCELED");
    this.#unwritten = [];
    this.#lease ??= await this.host.store.claim(this.id);
    const warning = await this.host.store.branch(this.#lease, this.record, base, this.#meta());
    this.#begun = true;
    return warning;
  }

  async #write(durable: boolean): Promise<void> {
    const { store } = this.host;
    this.#lease ??= await store.claim(this.id);
    const records = this.#unwritten;
    this.#unwritten = [];
    const batch = this.#begun ? records : [this.#meta(), ...records];
    try {
      await store.append(this.#lease, { thread: this.record, records: batch, durable });
      this.#begun = true;
    } catch (error) {
      this.#unwritten = [...records, ...this.#unwritten];
      throw error;
    }
  }

  #meta(): RolloutRecord {
    return recordOf(0, ...metaEntry(this.record, this.host.version));
  }
}

/** The depth of an agent, as its record says. */
function depthOf({ parentThreadId, source }: ThreadRecord): number {
  if (parentThreadId === null) return 0;
  const { thread_spawn: spawn } =
    ((source ?? {}) as { subAgent?: { thread_spawn?: { depth?: unknown } } }).subAgent ?? {};
  return typeof spawn?.depth === "number" && spawn.depth > 0 ? spawn.depth : 1;
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}

function recordOf(ordinal: number, type: string, payload: WireObject): RolloutRecord {
  return { timestamp: new Date().toISOString(), ordinal, type, payload };
}

/** A thread in wire form. Pass `undefined` as `loaded` if the thread is not loaded. */
export function describe(
  host: Pick<EngineHost, "home" | "platform" | "version">,
  record: ThreadInfo,
  loaded: LoadedThread | undefined,
  listed: boolean = false,
): Thread {
  const { settings } = record;
  return {
    id: record.id,
    environments: loaded
      ? [{ environmentId: "local", cwd: settings.cwd, runtimeWorkspaceRoots: [...settings.roots] }]
      : null,
    extra: null,
    sessionId: record.sessionId,
    forkedFromId: record.forkedFromId,
    parentThreadId: record.parentThreadId,
    preview: record.preview,
    ephemeral: record.ephemeral,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: record.historyMode,
    modelProvider: settings.modelProvider,
    model: settings.model,
    reasoningEffort: settings.effort,
    createdAt: unixSeconds(record.createdAtMs),
    updatedAt: unixSeconds(record.updatedAtMs),
    recencyAt: unixSeconds(record.updatedAtMs),
    status: loaded?.status ?? { type: "notLoaded" },
    path: record.ephemeral ? null : (record.path ?? pathOf(host.platform.paths, host.home, record)),
    cwd: settings.cwd,
    cliVersion: host.version,
    originator: record.originator,
    source: record.source as Thread["source"],
    canAcceptDirectInput: loaded && !listed ? true : null,
    threadSource: record.parentThreadId === null ? null : "subagent",
    agentNickname: record.agentNickname,
    agentRole: null,
    gitInfo: record.gitInfo as Thread["gitInfo"],
    name: record.name,
    daybreakEnabled: null,
    turns: [],
  };
}
