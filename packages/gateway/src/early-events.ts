/** A notification as it arrived. */
export interface KeptEvent {
  readonly method: string;
  readonly params: unknown;
}

const MAX_THREADS = 64;
const MAX_EVENTS = 1_024;

/**
 * Keeps events of threads that have no known follower yet: a sub-agent starts before the parent's item that
 * names it, and a thread may send events before the answer that opens it. The oldest events are dropped
 * first.
 */
export class EarlyEvents {
  readonly #byThread = new Map<string, KeptEvent[]>();

  keep(threadId: string, event: KeptEvent): void {
    const events = this.#byThread.get(threadId) ?? [];
    this.#byThread.set(threadId, events);
    events.push(event);
    if (events.length > MAX_EVENTS) events.shift();
    const [oldest] = this.#byThread.keys();
    if (this.#byThread.size > MAX_THREADS && oldest !== undefined) this.#byThread.delete(oldest);
  }

  /**
   * Returns and removes the events kept for a thread. Call this when the thread gets a follower, or when it can no
   * longer get one.
   */
  take(threadId: string): readonly KeptEvent[] {
    const events = this.#byThread.get(threadId) ?? [];
    this.#byThread.delete(threadId);
    return events;
  }
}
