import type { Clock } from "@codexwright/engine";

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly call: () => void }[] = [];
  #waiting: (() => void) | undefined;
  /** The lengths of all waits so far. */
  readonly waits: number[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call };
    this.#timers.push(timer);
    this.waits.push(ms);
    this.#waiting?.();
    return () => void (this.#timers = this.#timers.filter((each) => each !== timer));
  }

  /** The number of timers that have not run. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Resolves when a timer of this length is waiting. */
  async waitFor(ms: number): Promise<void> {
    while (!this.#timers.some(({ at }) => at === this.#now + ms)) {
      await new Promise<void>((resolve) => (this.#waiting = resolve));
    }
  }

  /** Moves the clock forward and runs the timers that are due. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.#now = due.at;
      this.#timers = this.#timers.filter((each) => each !== due);
      due.call();
    }
    this.#now = end;
  }
}

/** A clock whose waits end at once, except for the watch over a silent stream. */
export class HastyClock extends ManualClock {
  readonly #patience: number;

  /** @param patience waits of at least so many milliseconds do not end by themselves */
  constructor(patience: number = 250_000) {
    super();
    this.#patience = patience;
  }

  override after(ms: number, call: () => void): () => void {
    if (ms >= this.#patience) return super.after(ms, call);
    this.waits.push(ms);
    queueMicrotask(call);
    return () => {};
  }
}
