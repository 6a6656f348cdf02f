/** What the threads are kept for, and who can say. */
export interface UpstreamThreadsHost {
  /** How many clients follow a thread. */
  followers(threadId: string): number;
  /** Tells the app-server that nobody does. */
  unsubscribe(threadId: string): void;
  /** A shutdown waits for this. */
  hold(work: Promise<void>): void;
}

interface Known {
  /** Ends the hold on each running turn. */
  readonly turns: Map<string, () => void>;
  /** The turn that ended last: the answer to its start may come after that. */
  lastTurn: string | undefined;
}

/**
 * The threads that the app-server tells us about. We leave one when its last client has, but not while a turn
 * runs on it: whoever comes back finds the turn's questions still open.
 */
export class UpstreamThreads {
  readonly #host: UpstreamThreadsHost;
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, number>();

  constructor(host: UpstreamThreadsHost) {
    this.#host = host;
  }

  /** A client asks for this thread: it is not left before that was answered. Returns how to say so. */
  opening(threadId: string): () => void {
    this.#opening.set(threadId, (this.#opening.get(threadId) ?? 0) + 1);
    return () => {
      const left = (this.#opening.get(threadId) ?? 1) - 1;
      if (left > 0) this.#opening.set(threadId, left);
      else this.#opening.delete(threadId);
      this.release(threadId);
    };
  }

  /** The app-server tells us about this thread from here on. */
  opened(threadId: string): void {
    if (!this.#known.has(threadId)) this.#known.set(threadId, { turns: new Map(), lastTurn: undefined });
  }

  /**
   * The app-server has taken a turn whose start it will tell. Not so where another one runs: the new one is part of
   * that, or (before 0.150) an id that nothing is ever heard of.
   */
  turnAccepted(threadId: string, turnId: string): void {
    const known = this.#known.get(threadId);
    if (known && known.turns.size === 0 && known.lastTurn !== turnId) this.turnStarted(threadId, turnId);
  }

  /** Whether the app-server tells us about this thread, and somebody here asked for it. */
  has(threadId: string): boolean {
    return this.#known.has(threadId);
  }

  turnStarted(threadId: string, turnId: string): void {
    this.opened(threadId);
    const turns = this.#known.get(threadId)?.turns;
    if (!turns || turns.has(turnId)) return;
    this.#host.hold(new Promise<void>((resolve) => turns.set(turnId, resolve)));
  }

  turnCompleted(threadId: string, turnId: string): void {
    const known = this.#known.get(threadId);
    if (!known) return;
    known.lastTurn = turnId;
    known.turns.get(turnId)?.();
    known.turns.delete(turnId);
    this.release(threadId);
  }

  /** The app-server has unloaded it. */
  closed(threadId: string): void {
    for (const done of this.#known.get(threadId)?.turns.values() ?? []) done();
    this.#known.delete(threadId);
  }

  /** Leaves a thread that nobody follows. */
  release(threadId: string): void {
    const known = this.#known.get(threadId);
    if (!known || known.turns.size > 0 || this.#opening.has(threadId)) return;
    if (this.#host.followers(threadId) > 0) return;
    this.#known.delete(threadId);
    this.#host.unsubscribe(threadId);
  }

  /** Leaves all threads that nobody follows. */
  releaseAll(): void {
    for (const threadId of this.#known.keys()) this.release(threadId);
  }

  /** The app-server is gone. */
  end(): void {
    for (const threadId of this.#known.keys()) this.closed(threadId);
  }
}
