const TICKS = 10;

/**
 * Watches that a turn does not take too long (`timeoutMs`) and does not fall silent (`silenceMs`).
 *
 * Silence is counted in ticks of a tenth of the limit, so that hearing an event costs one assignment; the
 * limit is overrun by a tick at most. While anything holds the clock (an approval we were asked for, a tool
 * that runs), the silence is not the model's and does not count.
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

  start(): void {
    const { timeoutMs, silenceMs } = this.#limits;
    this.#startedAt = performance.now();
    if (timeoutMs > 0) this.#total = setTimeout(() => this.#expired("timeoutMs", timeoutMs), timeoutMs);
    if (silenceMs > 0) this.#ticker = setInterval(() => this.#tick(), silenceMs / TICKS);
  }

  heard(): void {
    this.#quietTicks = 0;
  }

  /** Stops the count of silence until the returned function is called. */
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
