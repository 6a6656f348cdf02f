/** How long to wait for the terminal event after the thread became idle. Doubled after each query without a result. */
const FIRST_MS = 500;
const MOST_MS = 30_000;

/**
 * Queries the outcome of a turn if its thread is idle and no terminal event follows. Repeats the query while the thread
 * is idle, until the outcome is known.
 */
export class RestWatch {
  readonly #ask: () => Promise<boolean>;
  #open = false;
  #rests = false;
  #waitMs = FIRST_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ask resolves with true once the outcome of the turn is known */
  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** Called when the turn has an id, which a query needs. */
  open(): void {
    this.#open = true;
    if (this.#rests) this.rests();
  }

  /** Called when the thread is idle. */
  rests(): void {
    this.#rests = true;
    if (!this.#open || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#waitMs = Math.min(2 * this.#waitMs, MOST_MS);
      void this.#ask().then((learnt) => learnt || !this.#rests || this.rests());
    }, this.#waitMs);
  }

  /** Called when the thread is active again. */
  active(): void {
    this.#rests = false;
    this.#waitMs = FIRST_MS;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Called when the turn has ended. */
  stop(): void {
    this.#open = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
