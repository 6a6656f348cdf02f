import type { ServerNotifications, Thread, ThreadActiveFlag, ThreadStatus } from "codexwright/protocol";
import type { ThreadChannel } from "codexwright/endpoint";
import { SessionRules } from "./session-rules.ts";
import { BackgroundTerminals } from "./background.ts";
import type { EngineHost } from "../host.ts";
import { unixSeconds } from "../ids.ts";
import { pathOf } from "../records/record-path.ts";
import type { Settings, ThreadRecord } from "../records/record.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { WireObject } from "../wire-object.ts";

/** A loaded thread: its record, its subscribers and its running work. */
export class LoadedThread {
  readonly record: ThreadRecord;
  readonly host: EngineHost;
  readonly channel: ThreadChannel;
  /** The running turn, if there is one. */
  turn: RunningTurn | undefined;
  /** The actions that the user has allowed for as long as the thread is loaded. */
  readonly rules: SessionRules = new SessionRules();
  readonly background: BackgroundTerminals = new BackgroundTerminals();
  #flags: ThreadActiveFlag[] = [];
  #failed = false;
  #detached = false;
  #told: string;

  constructor(host: EngineHost, record: ThreadRecord) {
    this.host = host;
    this.record = record;
    this.channel = host.endpoint.thread(record.id);
    this.#told = JSON.stringify(this.status);
  }

  get id(): string {
    return this.record.id;
  }

  get settings(): Settings {
    return this.record.settings;
  }

  get status(): ThreadStatus {
    if (this.turn) return { type: "active", activeFlags: [...new Set(this.#flags)] };
    return { type: this.#failed ? "systemError" : "idle" };
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
  settle(failed: boolean): void {
    this.turn = undefined;
    this.#flags = [];
    this.#failed = failed;
    this.tellStatus();
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
  }

  /** Appends items to the conversation that the model gets. */
  remember(...items: readonly WireObject[]): void {
    if (this.#detached) return;
    this.record.history.push(...items);
  }

  /** Replaces the conversation that the model gets. */
  rewrite(items: readonly WireObject[]): void {
    if (this.#detached) return;
    this.record.history = [...items];
  }

  save(): void {
    if (this.#detached) return;
    this.record.updatedAtMs = Date.now();
    this.host.store.save(this.record);
  }
}

/** A thread in wire form. Pass `undefined` as `loaded` if the thread is not loaded. */
export function describe(
  host: Pick<EngineHost, "home" | "platform" | "version">,
  record: ThreadRecord,
  loaded: LoadedThread | undefined,
  listed: boolean = false,
): Thread {
  const { settings } = record;
  return {
    id: record.id,
    environments: loaded
      ? [{ environmentId: "local", cwd: settings.cwd, runtimeWorkspaceRoots: [settings.cwd] }]
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
    path: record.ephemeral ? null : pathOf(host.platform.paths, host.home, record),
    cwd: settings.cwd,
    cliVersion: host.version,
    originator: record.originator,
    source: record.source as Thread["source"],
    canAcceptDirectInput: loaded && !listed ? true : null,
    threadSource: null,
    agentNickname: record.agentNickname,
    agentRole: null,
    gitInfo: record.gitInfo as Thread["gitInfo"],
    name: record.name,
    daybreakEnabled: null,
    turns: [],
  };
}
