import { systemClock, type Clock } from "../clock.ts";

/**
 * When the server was last heard, and whether anybody waits for the server now.
 *
 * Ages are measured with a monotonic clock, so that they stay right if the system clock is set. `heard` runs for every
 * message of a run, so it only stores a number.
 */
export class Pulse {
  readonly #now: () => number;
  /** Added to a monotonic time, gives milliseconds since 1970. */
  readonly #epoch: number;
  #at: number | undefined;
  #holds = 0;

  constructor(clock: Clock) {
    // A caller's own clock measures ages, too: its tests decide how time passes.
    this.#now = clock === systemClock ? () => performance.now() : () => clock.now();
    this.#epoch = clock.now() - this.#now();
  }

  /** When the server was last heard, in milliseconds since 1970. */
  get lastHeardAt(): number | undefined {
    return this.#at === undefined ? undefined : this.#epoch + this.#at;
  }

  /** How long ago that was, in milliseconds. 0 if the server was never heard. */
  get quietMs(): number {
    return this.#at === undefined ? 0 : this.#now() - this.#at;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  heard(): void {
    this.#at = this.#now();
  }

  /** Runs work during which the server has no reason to say anything. The silence begins again when the work ends. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++;
    try {
      return await work();
    } finally {
      this.#holds--;
      this.heard();
    }
  }
}
