/** A peer is dead after this many silent intervals in a row. One interval may be silent because our own event loop was blocked. */
const MISSES = 2;

/**
 * Detects a peer that disappeared without closing the connection, for example because a cable was pulled.
 *
 * It pings after an interval without any message, and again after the next. If the peer does not answer this ping
 * either, it is dead. So a live peer is not given up because our own process was too busy to read.
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

  /** A message or an answer of the peer has arrived. */
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
