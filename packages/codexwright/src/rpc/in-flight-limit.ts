/**
 * Admits at most `limit` holders at the same time. Each holder occupies one slot; the others wait in order of arrival.
 *
 * The app-server refuses requests that do not fit into its request queue, and may drop even the refusal. This limit
 * keeps the number of unanswered requests below the length of that queue.
 */
export class InFlightLimit {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  /**
   * An iterator over the waiting entries; its next entry has waited longest. It is kept, because a new iterator would
   * be slow: it steps over every deleted entry.
   */
  #line = this.#waiting.values();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Calls `enter` now, or when a slot is free. The returned function cancels a call that is still waiting. */
  acquire(enter: () => void): () => void {
    if (this.#held < this.#limit) {
      this.#held++;
      enter();
      return () => {};
    }
    this.#waiting.add(enter);
    return () => this.#waiting.delete(enter);
  }

  /** Releases one slot and passes it to the longest waiting entry. */
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
    // An iterator that has finished does not see entries that are added later.
    this.#line = this.#waiting.values();
    return this.#line.next().value;
  }
}
