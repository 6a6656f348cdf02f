const TICKS = 10;

/**
 * Watches that a turn does not take too long (`timeoutMs`) and does not fall silent (`silenceMs`).
 *
 * Silence is counted in ticks of a tenth of the limit, so that hearing an event costs one assignment; the
 * limit is overrun by a tick at most. While anything holds the clock (an approval we were asked for, a tool
 * that runs), the silence is not the model's and does not count.
 */
export class TurnClock {
  readonly #expired: (limit: "timeoutMs" | "silenceMs", ms: number) => void;
  readonly #silenceMs: number;
  #total: ReturnType<typeof setTimeout> | undefined;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #quietTicks = 0;
  #holds = 0;

  constructor(
    limits: { readonly timeoutMs: number; readonly silenceMs: number },
    expired: (limit: "timeoutMs" | "silenceMs", ms: number) => void,
  ) {
    const { timeoutMs, silenceMs } = limits;
    this.#expired = expired;
    this.#silenceMs = silenceMs;
    if (timeoutMs > 0) this.#total = setTimeout(() => expired("timeoutMs", timeoutMs), timeoutMs);
    if (silenceMs > 0) this.#ticker = setInterval(() => this.#tick(), silenceMs / TICKS);
  }

  heard(): void {
    this.#quietTicks = 0;
  }

  hold(): void {
    this.#holds++;
  }

  release(): void {
    this.#holds--;
    this.#quietTicks = 0;
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
    this.#expired("silenceMs", this.#silenceMs);
  }
}
