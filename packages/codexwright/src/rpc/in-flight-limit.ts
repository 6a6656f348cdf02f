/**
 * Lets at most `limit` holders through at once and the rest in the order they came.
 *
 * The app-server refuses what exceeds its ingress queue and can drop even the refusal, so the number of
 * requests that wait for an answer is kept below it here.
 */
export class InFlightLimit {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  /** Stands before the one that waited longest: to look for it from the start costs a step for each that has left. */
  #line = this.#waiting.values();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls `enter` now or when a slot is free. The returned function takes back a call still waiting. */
  acquire(enter: () => void): () => void {
    if (this.#held < this.#limit) {
      this.#held++;
      enter();
      return () => {};
    }
    this.#waiting.add(enter);
    return () => this.#waiting.delete(enter);
  }

  /** Gives one slot back and hands it to the one that waited longest. */
  release(): void {
    const next = this.#first();
    if (next === undefined) {
      this.#held--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #first(): (() => void) | undefined {
    const here = this.#line.next();
    if (!here.done) return here.value;
    // One that has come to the end does not see who comes later.
    this.#line = this.#waiting.values();
    return this.#line.next().value;
  }
}
