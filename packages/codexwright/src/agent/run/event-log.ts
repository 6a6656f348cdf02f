/** Stores events for any number of readers. Each reader gets all events from the start, at its own pace. */
export class EventLog<T> {
  readonly #events: T[] = [];
  #wake: (() => void)[] = [];
  #end: { readonly error: Error | undefined } | undefined;

  get events(): readonly T[] {
    return this.#events;
  }

  push(event: T): void {
    if (this.#end) return;
    this.#events.push(event);
    this.#wakeAll();
  }

  /** Ends the log. If there is an error, readers throw it after the last event. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wakeAll();
  }

  async *read(): AsyncGenerator<T, undefined> {
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

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
