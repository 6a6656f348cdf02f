import { EventQueue, type Coalescer } from "../../rpc/queue.ts";

/** How a log limits the events that it keeps. */
export interface LogLimit<T> {
  /** Maximum number of events, besides those that are always kept. */
  readonly max: number;
  /** Joins the text deltas of one item, so that no text is lost. */
  readonly coalescer: Coalescer<T>;
  /** Events that are always kept. Must be few. */
  readonly isKept: (event: T) => boolean;
}

/**
 * Stores events for any number of readers, each at its own pace.
 *
 * Without a limit, the log keeps every event, and each reader gets all events from the start. With a limit, it keeps the
 * last events, and joins deltas of one item that follow each other. A reader then gets the kept events first, and after
 * that every event: while it lags, its queue joins deltas, too, but drops nothing.
 */
export class EventLog<T> {
  readonly #limit: LogLimit<T> | undefined;
  readonly #events: T[] = [];
  /** Events that are always kept and no longer among the last ones. */
  readonly #kept: T[] = [];
  readonly #queues = new Set<EventQueue<T>>();
  #count = 0;
  #wake: (() => void)[] = [];
  #end: { readonly error: Error | undefined } | undefined;

  constructor(limit?: LogLimit<T>) {
    this.#limit = limit;
  }

  get events(): readonly T[] {
    return this.#kept.length === 0 ? this.#events : [...this.#kept, ...this.#events];
  }

  /** Number of events that were pushed. */
  get count(): number {
    return this.#count;
  }

  push(event: T): void {
    if (this.#end) return;
    this.#count++;
    if (this.#limit) this.#keep(event, this.#limit);
    else this.#events.push(event);
    for (const queue of this.#queues) queue.push(event);
    this.#wakeAll();
  }

  /** Ends the log. If there is an error, readers throw it after the last event. */
  end(error?: Error): void {
    this.#end ??= { error };
    for (const queue of this.#queues) finish(queue, this.#end);
    this.#wakeAll();
  }

  read(): AsyncGenerator<T, undefined> {
    return this.#limit ? this.#follow(this.#limit.coalescer) : this.#readAll();
  }

  async *#readAll(): AsyncGenerator<T, undefined> {
    for (let next = 0; ;) {
      const event = this.#events[next];
      if (event !== undefined) {
        next++;
        yield event;
      } else if (this.#end) {
        if (this.#end.error !== undefined) throw this.#end.error;
        return;
      } else {
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
    }
  }

  async *#follow(coalescer: Coalescer<T>): AsyncGenerator<T, undefined> {
    const queue = new EventQueue<T>(coalescer);
    for (const event of this.events) queue.push(event);
    if (this.#end) finish(queue, this.#end);
    this.#queues.add(queue);
    try {
      for await (const event of queue) yield event;
    } finally {
      this.#queues.delete(queue);
    }
  }

  #keep(event: T, { max, coalescer, isKept }: LogLimit<T>): void {
    const last = this.#events.at(-1);
    const key = coalescer.key(event);
    if (last !== undefined && key !== undefined && key === coalescer.key(last)) {
      const text = coalescer.text(last) + coalescer.text(event);
      this.#events[this.#events.length - 1] = coalescer.withText(last, text);
      return;
    }
    this.#events.push(event);
    if (this.#events.length <= max) return;
    const [oldest] = this.#events.splice(0, 1);
    if (oldest !== undefined && isKept(oldest)) this.#kept.push(oldest);
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

function finish<T>(queue: EventQueue<T>, { error }: { readonly error: Error | undefined }): void {
  if (error === undefined) queue.end();
  else queue.fail(error);
}
