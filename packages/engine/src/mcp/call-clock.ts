/** Aborts when a call has run for too long. The time in which the user answers a question does not count. */
export class CallClock {
  readonly #controller = new AbortController();
  #left: number;
  #began = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paused = 0;
  #stopped = false;

  constructor(ms: number) {
    this.#left = ms;
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for something that does not count. */
  async pausedFor<T>(work: () => Promise<T>): Promise<T> {
    if (this.#paused++ === 0) this.#pause();
    try {
      return await work();
    } finally {
      if (--this.#paused === 0 && !this.#stopped) this.#run();
    }
  }

  /** The call has ended. A question that is answered later does not let the time run again. */
  stop(): void {
    this.#stopped = true;
    this.#pause();
  }

  #pause(): void {
    clearTimeout(this.#timer);
    if (this.#timer !== undefined) this.#left -= performance.now() - this.#began;
    this.#timer = undefined;
  }

  #run(): void {
    this.#began = performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(), Math.max(0, this.#left));
  }
}
