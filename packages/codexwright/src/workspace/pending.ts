const AT_ONCE = 32;

/** Work that is done at the same time, `AT_ONCE` at most. */
export class Pending {
  #started: Promise<void>[] = [];

  async add(work: Promise<void>): Promise<void> {
    // Its failure is thrown later, and must not count as unhandled until then.
    work.catch(() => {});
    this.#started.push(work);
    if (this.#started.length === AT_ONCE) await this.settled();
  }

  /** Rejects if any work failed, but not before all of it has ended. */
  async settled(): Promise<void> {
    const results = await Promise.allSettled(this.#started.splice(0));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }
}
