/** Why a run was interrupted: a newer one for the same key has begun. */
export const SUPERSEDED = "superseded by a newer run";

/**
 * At most one run for each key at a time. A newer run interrupts the older one, and starts when the older one has
 * ended.
 */
export class NewestRuns implements AsyncDisposable {
  readonly #runs = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>();

  /** @param work must not reject */
  start(key: string, work: (signal: AbortSignal) => Promise<void>): void {
    const before = this.#runs.get(key);
    before?.abort.abort(SUPERSEDED);
    const abort = new AbortController();
    const run = async (): Promise<void> => {
      await before?.ended;
      await work(abort.signal);
      if (this.#runs.get(key)?.abort === abort) this.#runs.delete(key);
    };
    this.#runs.set(key, { abort, ended: run() });
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(Array.from(this.#runs.values(), ({ ended }) => ended));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { abort } of this.#runs.values()) abort.abort();
    await this.idle();
  }
}
