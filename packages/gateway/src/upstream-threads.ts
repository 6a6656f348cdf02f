/** The functions of the gateway that {@link UpstreamThreads} uses. */
export interface UpstreamThreadsHost {
  /** The number of clients that follow a thread. */
  followers(threadId: string): number;
  /** Tells the app-server that no client follows the thread. */
  unsubscribe(threadId: string): void;
  /** Makes a shutdown wait for this. */
  hold(work: Promise<void>): void;
}

interface Known {
  /** The running turns. Each function tells the gateway that it need not wait for the turn any more. */
  readonly turns: Map<string, () => void>;
  /** The id of the turn that ended last. The answer to `turn/start` may arrive after the turn's end. */
  lastTurn: string | undefined;
}

/**
 * The threads that the app-server sends us events about. We unsubscribe when the last client leaves, but not
 * during a turn: a client that comes back finds the turn's requests still open.
 */
export class UpstreamThreads {
  readonly #host: UpstreamThreadsHost;
  readonly #known = new Map<string, Known>();
  readonly #opening = new Map<string, number>();

  constructor(host: UpstreamThreadsHost) {
    this.#host = host;
  }

  /**
   * Keeps a thread subscribed while a client's request for it is pending. Call the returned function when the request
   * was answered.
   */
  opening(threadId: string): () => void {
    this.#opening.set(threadId, (this.#opening.get(threadId) ?? 0) + 1);
    return () => {
      const left = (this.#opening.get(threadId) ?? 1) - 1;
      if (left > 0) this.#opening.set(threadId, left);
      else this.#opening.delete(threadId);
      this.release(threadId);
    };
  }

  /** The app-server sends us events about this thread from now on. */
  opened(threadId: string): void {
    if (!this.#known.has(threadId)) this.#known.set(threadId, { turns: new Map(), lastTurn: undefined });
  }

  /**
   * The app-server has accepted a turn and will announce its start. If another turn is running, there is no
   * announcement: the input becomes part of that turn or (before 0.150) the answer has an id that never
   * appears again.
   */
  turnAccepted(threadId: string, turnId: string): void {
    const known = this.#known.get(threadId);
    if (known && known.turns.size === 0 && known.lastTurn !== turnId) this.turnStarted(threadId, turnId);
  }

  /** Whether the app-server sends us events about this thread, and a client has asked for it. */
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

  /** Called when the app-server has unloaded the thread. */
  closed(threadId: string): void {
    for (const done of this.#known.get(threadId)?.turns.values() ?? []) done();
    this.#known.delete(threadId);
  }

  /** Unsubscribes from a thread that has no followers. */
  release(threadId: string): void {
    const known = this.#known.get(threadId);
    if (!known || known.turns.size > 0 || this.#opening.has(threadId)) return;
    if (this.#host.followers(threadId) > 0) return;
    this.#known.delete(threadId);
    this.#host.unsubscribe(threadId);
  }

  /** Unsubscribes from all threads that have no followers. */
  releaseAll(): void {
    for (const threadId of this.#known.keys()) this.release(threadId);
  }

  /** Called when the app-server is gone. */
  end(): void {
    for (const threadId of this.#known.keys()) this.closed(threadId);
  }
}
