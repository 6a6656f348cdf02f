const TICKS = 10;

/**
 * Enforces the limits of a turn: its duration (`timeoutMs`) and its silence (`silenceMs`).
 *
 * Silence is counted in ticks of a tenth of the limit, so that an event costs one assignment. A turn can exceed the
 * limit by one tick at most. `hold` pauses the count, because a pending approval or a running tool is not silence of
 * the model.
 */
export class TurnClock {
  readonly #limits: { readonly timeoutMs: number; readonly silenceMs: number };
  readonly #expired: (limit: "timeoutMs" | "silenceMs", ms: number) => void;
  #startedAt = 0;
  #total: ReturnType<typeof setTimeout> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #quietTicks = 0;
  #holds = 0;

  constructor(
    limits: { readonly timeoutMs: number; readonly silenceMs: number },
    expired: (limit: "timeoutMs" | "silenceMs", ms: number) => void,
  ) {
    this.#limits = limits;
    this.#expired = expired;
  }

  get elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  start(): void {
    const { timeoutMs, silenceMs } = this.#limits;
    this.#startedAt = performance.now();
    if (timeoutMs > 0) this.#total = setTimeout(() => this.#expired("timeoutMs", timeoutMs), timeoutMs);
    if (silenceMs > 0) this.#ticker = setInterval(() => this.#tick(), silenceMs / TICKS);
  }

  heard(): void {
    this.#quietTicks = 0;
  }

  /** Pauses the silence count until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      this.#quietTicks = 0;
    };
  }

  stop(): void {
    clearTimeout(this.#total);
    clearInterval(this.#ticker);
  }

  #tick(): void {
    if (this.#holds > 0) return;
    this.#quietTicks++;
    if (this.#quietTicks <= TICKS) return;
    clearInterval(this.#ticker);
    this.#expired("silenceMs", this.#limits.silenceMs);
  }
}
