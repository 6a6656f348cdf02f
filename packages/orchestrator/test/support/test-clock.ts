import type { Clock } from "@codexwright/orchestrator/internal";

/** A clock that a test moves. */
export class TestClock implements Clock {
  readonly #start = Date.parse("2026-02-24T12:00:00Z");
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>();
  #now = 0;
  /** Added to the date only, as if the clock of the machine was set. */
  dateOffset = 0;

  monotonic(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#start + this.#now + this.dateOffset);
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves the time, and calls the timers in their order. Real work goes on in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.call();
    }
    this.#now = until;
    await settled();
  }

  /** Moves the time without calling timers, as if this process had been stopped. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Moves the time in steps until the condition holds. */
  async advanceUntil(condition: () => boolean, stepMs = 100): Promise<void> {
    while (!condition()) {
      await this.advance(stepMs);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise(setImmediate);
}
