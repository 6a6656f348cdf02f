import { ResponseError } from "codexwright/rpc";
import type { Lease, ThreadConfig } from "../ports.ts";
import { LoadedThread } from "./loaded-thread.ts";
import type { RunningTurn } from "./running-turn.ts";
import { IdleThreads } from "./idle-threads.ts";
import type { EngineHost } from "../host.ts";
import { idProblem, uuid7 } from "../ids.ts";
import type { WireObject } from "../wire-object.ts";
import { derived, type Settings, type ThreadRecord } from "../records/record.ts";

/** A turn that can run. */
interface Launched {
  run(): Promise<void>;
  abandon(): void;
}

/** The beginning of a new agent. */
interface NewAgent {
  readonly nickname: string;
  readonly settings: Partial<Settings>;
  /** The conversation that it takes over. */
  readonly history: readonly WireObject[];
}

/** The loaded threads. Only they run turns. */
export class LoadedThreads {
  readonly #host: EngineHost;
  readonly #threads = new Map<string, LoadedThread>();
  readonly #running = new Set<Promise<void>>();
  /** The threads that are being unloaded. Until then they have their leases. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #idle: IdleThreads;
  readonly #free: (thread: LoadedThread) => Promise<void>;
  #closed = false;

  /** @param free called when no turn runs on a thread any more, or when it was opened */
  constructor(host: EngineHost, free: (thread: LoadedThread) => Promise<void>) {
    this.#host = host;
    this.#free = free;
    this.#idle = new IdleThreads(host, (thread) => this.unload(thread));
  }

  get(id: string): LoadedThread | undefined {
    return this.#threads.get(id);
  }

  all(): LoadedThread[] {
    return [...this.#threads.values()];
  }

  /** Loads a thread. Pass the lease of a thread that has a history. */
  load(record: ThreadRecord, config: ThreadConfig, lease?: Lease): LoadedThread {
    if (this.#closed) throw new ResponseError(-32603, "the server has shut down");
    const rested = (ended: LoadedThread, turn: RunningTurn): void => this.#ended(ended, turn);
    const thread = new LoadedThread(this.#host, record, config, rested, lease);
    this.#threads.set(record.id, thread);
    return thread;
  }

  /** Unloads the thread, broadcasts its new status, and lets other writers have it. */
  unload(thread: LoadedThread): Promise<void> {
    const ended = thread.background.close();
    return this.#leave(thread, async () => {
      // Their items are records of the thread.
      await ended;
      thread.tellStatus({ type: "notLoaded" });
      await thread.release();
    });
  }

  /** Unloads a thread that no client knows yet. */
  forget(thread: LoadedThread): Promise<void> {
    return this.#leave(thread, () => thread.release());
  }

  /** Resolves when the thread is not being unloaded, so that it can be opened again. */
  async left(id: string): Promise<void> {
    for (let leaving = this.#leaving.get(id); leaving; leaving = this.#leaving.get(id)) await leaving;
  }

  /** Call this when a client of a thread may have left. */
  abandoned(id: string): void {
    const thread = this.#threads.get(id);
    if (thread) this.#rested(thread);
  }

  /** Returns the loaded thread with this id. Throws the real server's error if there is none. */
  find(id: string): LoadedThread {
    this.check(id, "thread");
    const thread = this.#threads.get(id);
    if (!thread) throw new ResponseError(-32600, `thread not found: ${id}`);
    return thread;
  }

  check(id: string, kind: "thread" | "session"): void {
    const problem = idProblem(id);
    if (problem !== undefined) throw new ResponseError(-32600, `invalid ${kind} id: ${problem}`);
  }

  /** Loads a new thread for a sub-agent. Subscribes the parent's clients to it, although they did not ask for it. */
  child(parent: LoadedThread, { nickname, settings, history }: NewAgent): LoadedThread {
    const id = uuid7();
    const child: ThreadRecord = {
      ...derived(parent.record, id, Date.now()),
      agentNickname: nickname,
      source: {
        subAgent: {
          thread_spawn: {
            parent_thread_id: parent.id,
            depth: parent.agentDepth + 1,
            agent_path: null,
            agent_nickname: nickname,
            agent_role: null,
          },
        },
      },
    };
    Object.assign(child.settings, settings);
    const thread = this.load(child, parent.config);
    if (history.length > 0) thread.remember(...history);
    this.#follow(parent, thread);
    return thread;
  }

  /** The agents of the family that a thread belongs to. */
  family({ record }: LoadedThread): LoadedThread[] {
    return this.all().filter(
      (each) => each.record.sessionId === record.sessionId && each.record.parentThreadId !== null,
    );
  }

  /** Interrupts and unloads an agent, and its own agents. */
  async endAgent(agent: LoadedThread): Promise<void> {
    await agent.turn?.interruptForGood();
    await this.endAgentsOf(agent.id);
    if (this.#threads.get(agent.id) === agent) await this.unload(agent);
  }

  async endAgentsOf(id: string): Promise<void> {
    const agents = this.all().filter(({ record }) => record.parentThreadId === id);
    await Promise.all(agents.map((agent) => this.endAgent(agent)));
  }

  /** Loads a stored agent of a thread again. Returns `undefined` if there is none, or why it cannot be loaded. */
  async reopenAgent(
    parent: LoadedThread,
    id: string,
    most: number,
  ): Promise<LoadedThread | string | undefined> {
    const { store } = this.#host;
    await this.left(id);
    const info = await store.find(id);
    if (!info || info.archived || info.parentThreadId !== parent.id) return undefined;
    if (this.family(parent).length >= most) return `agent thread limit reached (max ${most})`;
    const lease = await store.claim(id);
    try {
      const read = await store.read(id);
      if (!read) throw new Error(`agent with id ${id} not found`);
      const thread = this.load(read.thread, parent.config, lease);
      this.#follow(parent, thread);
      return thread;
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  #follow(parent: LoadedThread, agent: LoadedThread): void {
    for (const connection of parent.channel.subscribers) connection.subscribe(agent.id);
    agent.announce();
  }

  /** Sends the real server's warning about a model that it does not know. The server repeats it before every turn. */
  warnOfModel(thread: LoadedThread): void {
    if (this.#host.provider.contextWindow?.(thread.settings.model)) return;
    thread.notify("warning", {
      threadId: thread.id,
      message: `Model metadata for \`${thread.settings.model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`,
    });
  }

  /**
   * Runs a turn in the background. The turn begins after `later` pauses of the `Pace` port. A graceful shutdown waits
   * for it.
   */
  launch(turn: Launched, later: number = 0): void {
    if (this.#closed) turn.abandon();
    const running = this.#run(turn, later);
    this.#host.endpoint.hold(running);
    const settled = running
      .catch((error: unknown) => this.#host.failed(error))
      .finally(() => this.#running.delete(settled));
    this.#running.add(settled);
  }

  /** From now on, no thread is loaded. Closing waits for the requests that were opening or changing one. */
  close(): void {
    this.#closed = true;
    for (const thread of this.#threads.values()) this.#idle.forget(thread);
  }

  /** Makes closing wait for the answer to a request. */
  busy<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => void this.#running.delete(settled),
      () => void this.#running.delete(settled),
    );
    this.#running.add(settled);
    return work;
  }

  /** Resolves when no turn runs, and no thread is being opened or changed any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Call this when a thread that was not loaded has been opened. */
  opened(thread: LoadedThread): void {
    if (this.#closed) return;
    this.busy(this.#free(thread)).catch((error: unknown) => this.#host.failed(error));
  }

  #ended(thread: LoadedThread, turn: RunningTurn): void {
    this.#rested(thread);
    // Clients receive the end first.
    void turn.ended.then(() => this.opened(thread));
  }

  #rested(thread: LoadedThread): void {
    if (!this.#closed && this.#threads.get(thread.id) === thread) this.#idle.rested(thread);
  }

  #leave(thread: LoadedThread, release: () => Promise<void>): Promise<void> {
    const { id } = thread;
    this.#idle.forget(thread);
    this.#threads.delete(id);
    const leaving = this.busy(release());
    const settled = leaving
      .catch(() => {})
      .finally(() => {
        if (this.#leaving.get(id) === settled) this.#leaving.delete(id);
      });
    this.#leaving.set(id, settled);
    return leaving;
  }

  async #run(turn: Launched, later: number): Promise<void> {
    await this.#host.pace.turn();
    for (let n = 0; n < later; n++) await this.#host.pace.step();
    await turn.run();
  }
}
