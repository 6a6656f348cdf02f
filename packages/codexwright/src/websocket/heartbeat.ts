/**
 * A peer counts as dead after this many silent intervals in a row. One interval may be silent because our own event
 * loop was blocked.
 */
const MISSES = 2;

/**
 * Detects a peer that disappeared without closing the connection, for example because a cable was pulled.
 *
 * Sends a ping at the end of each interval. The peer counts as dead after two intervals in a row without a message or
 * an answer to a ping. One silent interval is not enough, because our own process may just have been too busy to read.
 */
export class Heartbeat {
  readonly #everyMs: number;
  readonly #ping: () => void;
  readonly #dead: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heard = true;
  #misses = 0;

  /** @param everyMs the length of an interval; 0 disables the heartbeat */
  constructor(everyMs: number, ping: () => void, dead: () => void) {
    this.#everyMs = everyMs;
    this.#ping = ping;
    this.#dead = dead;
  }

  start(): void {
    if (this.#everyMs > 0) this.#timer = setTimeout(() => this.#beat(), this.#everyMs);
  }

  /** Called when a message or an answer from the peer has arrived. */
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
