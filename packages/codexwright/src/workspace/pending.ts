const AT_ONCE = 32;

/** Runs work concurrently, at most `AT_ONCE` promises at a time. */
export class Pending {
  #started: Promise<void>[] = [];

  async add(work: Promise<void>): Promise<void> {
    // `settled` rethrows the error. Until then it must not count as unhandled.
    work.catch(() => {});
    this.#started.push(work);
    if (this.#started.length === AT_ONCE) await this.settled();
  }

  /** Waits for all work, and then rejects if any of it failed. */
  async settled(): Promise<void> {
    const results = await Promise.allSettled(this.#started.splice(0));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }
}
