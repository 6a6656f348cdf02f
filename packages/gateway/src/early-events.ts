/** A notification as it came. */
export interface KeptEvent {
  readonly method: string;
  readonly params: unknown;
}

const MAX_THREADS = 64;
const MAX_EVENTS = 1_024;

/**
 * Events of threads that nobody here is known to follow yet: an agent begins to work before the item of its parent's
 * that names it, and a thread may have something to say before the answer that opens it. The oldest make room.
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

  /** What was kept of a thread, once: somebody follows it now, or nobody will. */
  take(threadId: string): readonly KeptEvent[] {
    const events = this.#byThread.get(threadId) ?? [];
    this.#byThread.delete(threadId);
    return events;
  }
}
