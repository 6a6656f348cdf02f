import { newFacts, ThreadRoute, type ThreadFacts, type ThreadHost } from "./thread-route.ts";

/**
 * The threads a client knows. A thread's state lives as long as somebody holds a handle of it or something runs
 * or waits on it, so a client that starts a thousand threads does not keep a thousand states; the few facts that
 * a later call by the thread's id needs are kept as long as the client.
 */
export class ThreadTable {
  readonly #busy = new Map<string, ThreadRoute>();
  readonly #known = new Map<string, WeakRef<ThreadRoute>>();
  readonly #facts = new Map<string, ThreadFacts>();
  readonly #gone = new FinalizationRegistry<string>((threadId) => {
    if (!this.#known.get(threadId)?.deref()) this.#known.delete(threadId);
  });

  get(threadId: string): ThreadRoute | undefined {
    return this.#busy.get(threadId) ?? this.#known.get(threadId)?.deref();
  }

  /** The route of a thread, made anew where nobody held it; `undefined` for one this client never dealt with. */
  recall(threadId: string, host: ThreadHost): ThreadRoute | undefined {
    return this.get(threadId) ?? (this.#facts.has(threadId) ? this.open(threadId, host) : undefined);
  }

  open(threadId: string, host: ThreadHost): ThreadRoute {
    const known = this.get(threadId);
    if (known) return known;
    let facts = this.#facts.get(threadId);
    if (!facts) this.#facts.set(threadId, (facts = newFacts()));
    const route = new ThreadRoute(threadId, host, facts);
    this.#known.set(threadId, new WeakRef(route));
    this.#gone.register(route, threadId);
    return route;
  }

  keep(route: ThreadRoute, needed: boolean): void {
    if (needed) this.#busy.set(route.threadId, route);
    else this.#busy.delete(route.threadId);
  }

  /** The thread is gone for good. */
  forget(threadId: string): void {
    this.#facts.delete(threadId);
  }

  /** Routes on which something runs or waits. */
  busy(): ThreadRoute[] {
    return [...this.#busy.values()];
  }

  /** No server knows of any subscription of ours. */
  unsubscribeAll(): void {
    for (const facts of this.#facts.values()) facts.subscribed = false;
  }

  /** Every route that somebody may still look at. */
  live(): ThreadRoute[] {
    return [...this.#known.values()].flatMap((ref) => ref.deref() ?? []);
  }
}
