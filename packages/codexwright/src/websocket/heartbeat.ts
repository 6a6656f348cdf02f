/** Silent intervals in a row after which a peer counts as dead: one could be the fault of our own blocked loop. */
const MISSES = 2;

/**
 * Notices a peer that is gone without a word, as behind a cable that was pulled.
 *
 * After an interval without any sign of life it pings, and pings again after the next; where that stays without
 * an answer too the peer is dead. So a peer that lives is never given up because we did not come to read.
 */
export class Heartbeat {
  readonly #everyMs: number;
  readonly #ping: () => void;
  readonly #dead: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = true;
  #misses = 0;

  /** @param everyMs 0 = never */
  constructor(everyMs: number, ping: () => void, dead: () => void) {
    this.#everyMs = everyMs;
    this.#ping = ping;
    this.#dead = dead;
  }

  start(): void {
    if (this.#everyMs > 0) this.#timer = setTimeout(() => this.#beat(), this.#everyMs);
  }

  /** The peer has shown a sign of life. */
  heard(): void {
    this.#heard = true;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #beat(): void {
    this.#misses = this.#heard ? 0 : this.#misses + 1;
    this.#heard = false;
    if (this.#misses >= MISSES) return this.#dead();
    this.#ping();
    this.start();
  }
}
