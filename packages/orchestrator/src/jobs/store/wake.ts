/** Wakes those who wait for new events. */
export class Wake {
  readonly #waiting = new Set<() => void>();

  now(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Calls `wake` for each new event, until the result is called. */
  on(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => void this.#waiting.delete(wake);
  }
}

/** Remembers that something has happened, for one who waits. */
export class Bell {
  #ring: () => void = () => {};
  #rung!: Promise<void>;

  constructor() {
    this.reset();
  }

  ring(): void {
    this.#ring();
  }

  /** Resolves when the bell has rung since the last `reset`. */
  async rung(): Promise<void> {
    await this.#rung;
  }

  reset(): void {
    this.#rung = new Promise((resolve) => (this.#ring = resolve));
  }
}
