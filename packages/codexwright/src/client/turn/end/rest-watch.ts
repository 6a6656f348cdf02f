/** How long the terminal event may lag behind the thread's coming to rest; doubled after each fruitless question. */
const FIRST_MS = 500;
const MOST_MS = 30_000;

/**
 * Asks how a turn ended if its thread rests and no terminal event follows. It goes on asking while the thread rests,
 * until an answer tells.
 */
export class RestWatch {
  readonly #ask: () => Promise<boolean>;
  #open = false;
  #rests = false;
  #waitMs = FIRST_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ask resolves with true once the end of the turn is known */
  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** The turn has an id, so that it can be asked about. */
  open(): void {
    this.#open = true;
    if (this.#rests) this.rests();
  }

  /** The thread has come to rest. */
  rests(): void {
    this.#rests = true;
    if (!this.#open || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#waitMs = Math.min(2 * this.#waitMs, MOST_MS);
      void this.#ask().then((learnt) => learnt || !this.#rests || this.rests());
    }, this.#waitMs);
  }

  /** Something runs on the thread again. */
  active(): void {
    this.#rests = false;
    this.#waitMs = FIRST_MS;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The turn has ended. */
  stop(): void {
    this.#open = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
