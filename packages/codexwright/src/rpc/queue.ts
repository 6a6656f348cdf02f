/** Joins the texts of waiting events, so that a queue becomes shorter without losing text. */
export interface Coalescer<T> {
  /** Events with the same key may be joined. An event whose key is `undefined` must not be joined. */
  key(event: T): string | undefined;
  text(event: T): string;
  /** Returns the event with another text. */
  withText(event: T, text: string): T;
}

interface Slot<T> {
  event: T;
  /** Set if the slot was added while the consumer lagged. The text of later deltas may then be added to this slot. */
  readonly key: string | undefined;
  /** Texts to append to the event's own text when the slot is taken. */
  more: string[] | undefined;
}

interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

const LAG = 1_024;
const JOIN = 256;

/**
 * A queue without a maximum length, whose memory use is bounded by the text in it. Pushing never blocks, so the reader
 * always drains the pipe. If the consumer lags more than a thousand events behind, deltas are joined: between two
 * events of other kinds, only one delta per item remains. Every operation is O(1) amortised.
 *
 * Each event goes to one consumer. The queue ends once, with or without an error, after all events that were pushed
 * before.
 */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #coalescer: Coalescer<T> | undefined;
  /**
   * Slots to which the text of further deltas may be added, by key. Any event that cannot be joined clears this map.
   */
  readonly #open = new Map<string, Slot<T>>();
  #slots: (Slot<T> | undefined)[] = [];
  #head = 0;
  readonly #waiters: Waiter<T>[] = [];
  #end: { error: unknown } | undefined;

  constructor(coalescer?: Coalescer<T>) {
    this.#coalescer = coalescer;
  }

  /** Number of events that wait for a consumer. */
  get size(): number {
    return this.#slots.length - this.#head;
  }

  push(event: T): void {
    if (this.#end) return;
    const waiter = this.#waiters.shift();
    if (waiter) {
      waiter.resolve({ value: event, done: false });
      return;
    }
    if (this.size >= LAG && this.#coalescer) this.#pushLagging(event, this.#coalescer);
    else this.#append({ event, key: undefined, more: undefined });
  }

  /** Ends the queue after the events that are already queued. Later pushes are dropped. */
  end(): void {
    this.#finish({ error: undefined });
  }

  /** Ends the queue with an error. The consumer first receives the events that are already queued, then the error. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const slot = this.#shift();
    if (slot) return Promise.resolve({ value: this.#join(slot), done: false });
    if (this.#end) return this.#ending(this.#end);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
    });
  }

  /** Called when the consumer leaves. Queued and later events are dropped. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#finish({ error: undefined });
    this.#slots = [];
    this.#head = 0;
    this.#open.clear();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #pushLagging(event: T, coalescer: Coalescer<T>): void {
    const key = coalescer.key(event);
    const open = key === undefined ? undefined : this.#open.get(key);
    if (!open) return this.#append({ event, key, more: undefined });
    open.more ??= [];
    open.more.push(coalescer.text(event));
    // Many short texts cost more memory as list entries than as one string.
    if (open.more.length === JOIN) {
      open.event = this.#join(open);
      open.more = undefined;
    }
  }

  /** A slot that cannot be joined is a barrier: events after it are not joined to events before it. */
  #append(slot: Slot<T>): void {
    this.#slots.push(slot);
    if (slot.key !== undefined) this.#open.set(slot.key, slot);
    else if (this.#open.size > 0) this.#open.clear();
  }

  #join(slot: Slot<T>): T {
    if (!slot.more || !this.#coalescer) return slot.event;
    const text = this.#coalescer.text(slot.event) + slot.more.join("");
    return this.#coalescer.withText(slot.event, text);
  }

  #shift(): Slot<T> | undefined {
    if (this.#head === this.#slots.length) return undefined;
    const slot = this.#slots[this.#head];
    this.#slots[this.#head++] = undefined;
    if (slot?.key !== undefined && this.#open.get(slot.key) === slot) this.#open.delete(slot.key);
    if (this.#head === this.#slots.length) {
      this.#slots = [];
      this.#head = 0;
    } else if (this.#head >= LAG && this.#head * 2 >= this.#slots.length) {
      this.#slots = this.#slots.slice(this.#head);
      this.#head = 0;
    }
    return slot;
  }

  #finish(end: { error: unknown }): void {
    if (this.#end) return;
    this.#end = end;
    for (const waiter of this.#waiters.splice(0)) {
      if (end.error === undefined) waiter.resolve({ value: undefined, done: true });
      else waiter.reject(this.#take(end));
    }
  }

  #ending(end: { error: unknown }): Promise<IteratorResult<T, undefined>> {
    if (end.error === undefined) return Promise.resolve({ value: undefined, done: true });
    return Promise.reject(this.#take(end));
  }

  /** The error is thrown once. Iterating further ends without an error. */
  #take(end: { error: unknown }): unknown {
    const { error } = end;
    end.error = undefined;
    return error;
  }
}
