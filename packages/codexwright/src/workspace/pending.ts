const AT_ONCE = 32;

/** Runs work concurrently. At most `AT_ONCE` promises are pending at the same time. */
export class Pending {
  #started: Promise<void>[] = [];

  async add(work: Promise<void>): Promise<void> {
    // `settled` rethrows the error. Until then, the rejection must not be reported as unhandled.
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
