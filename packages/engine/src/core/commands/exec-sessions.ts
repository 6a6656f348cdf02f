import { randomInteger } from "../ids.ts";
import { ExecSession, type SessionEvents, type SessionInfo } from "./exec-session.ts";

/** The most sessions of a thread. */
const MAX_SESSIONS = 64;
/** The sessions that were used last are never ended to make room. */
const PROTECTED = 8;
const MIN_ID = 1_000;
const END_ID = 100_000;

/** The sessions of a thread. A session stays until the model has read its end. */
export class ExecSessions {
  readonly #sessions = new Map<number, ExecSession>();
  /** Commands of the user. They end with the thread, but the model does not see them. */
  readonly #held = new Set<ExecSession>();
  #uses = 0;
  #closed = false;

  /** Makes a session. If there are too many, ends one: an old one that has ended, or the one that was used least recently. */
  open(info: SessionInfo, events: SessionEvents): ExecSession {
    if (this.#sessions.size >= MAX_SESSIONS) this.#makeRoom();
    const session = new ExecSession(this.#freeId(), info, events);
    this.#sessions.set(session.id, session);
    this.use(session);
    if (this.#closed) session.abandon();
    return session;
  }

  get(id: number): ExecSession | undefined {
    return this.#sessions.get(id);
  }

  /** Marks a session as the one that was used last. */
  use(session: ExecSession): void {
    session.lastUse = ++this.#uses;
  }

  forget(session: ExecSession): void {
    this.#sessions.delete(session.id);
  }

  /** Ends a command with the thread. */
  hold(session: ExecSession): void {
    this.#held.add(session);
    if (this.#closed) void session.terminate();
  }

  release(session: ExecSession): void {
    this.#held.delete(session);
  }

  /** The sessions that run, by id. */
  running(): ExecSession[] {
    return [...this.#sessions.values()].filter(({ running }) => running).toSorted((a, b) => a.id - b.id);
  }

  /** Ends a session. Returns false if there is none with this id that runs. */
  terminate(id: number): boolean {
    const session = this.#sessions.get(id);
    if (!session?.running) return false;
    this.forget(session);
    void session.terminate();
    return true;
  }

  /** Ends all sessions. */
  async clean(): Promise<void> {
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(all.map((session) => session.terminate()));
  }

  /** Ends all commands when the thread is unloaded, also those of the user, and those that start later. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.clean(), ...[...this.#held].map((session) => session.terminate())]);
  }

  /** Kills all sessions without telling clients, also those that are opened later. */
  abandon(): void {
    this.#closed = true;
    for (const session of this.#sessions.values()) session.abandon();
    this.#sessions.clear();
    for (const session of this.#held) void session.terminate();
  }

  #makeRoom(): void {
    const byUse = [...this.#sessions.values()].toSorted((a, b) => a.lastUse - b.lastUse);
    const old = byUse.slice(0, -PROTECTED);
    const pruned = old.find(({ running }) => !running) ?? old[0];
    if (!pruned) return;
    this.forget(pruned);
    void pruned.terminate();
  }

  #freeId(): number {
    for (;;) {
      const id = randomInteger(MIN_ID, END_ID);
      if (!this.#sessions.has(id)) return id;
    }
  }
}
