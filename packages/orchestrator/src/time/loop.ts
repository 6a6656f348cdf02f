import type { Clock } from "./clock.ts";

export interface LoopOptions {
  readonly clock: Clock;
  /** From the end of a pass to the next one. Asked again after each pass. */
  readonly everyMs: () => number;
  readonly work: () => Promise<void>;
  /** Receives the error of a pass. The next pass comes at its time. */
  readonly failed: (error: unknown) => void;
}

/** Does something again and again, and at once when asked. Two passes never overlap. */
export class Loop {
  readonly #options: LoopOptions;
  #isAsked = false;
  #isClosed = false;
  #pass: Promise<void> | undefined;
  #endedAt: number | undefined;
  #cancel: () => void = () => {};

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Asks for a pass that begins from now on. Requests that arrive before it begins share it. */
  now(): { readonly coalesced: boolean } {
    const coalesced = this.#isAsked;
    this.#isAsked = true;
    this.#begin();
    return { coalesced };
  }

  /** The interval has changed: the time of the next pass is computed again. */
  rescheduled(): void {
    if (this.#pass === undefined && !this.#isClosed && this.#endedAt !== undefined) this.#schedule();
  }

  /** Lets a pass that goes on end, and begins no other one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#pass;
  }

  #begin(): void {
    if (this.#isClosed || this.#pass !== undefined) return;
    this.#cancel();
    this.#isAsked = false;
    this.#pass = this.#run();
  }

  async #run(): Promise<void> {
    const { clock, work, failed } = this.#options;
    try {
      await work();
    } catch (error) {
      failed(error);
    }
    this.#pass = undefined;
    this.#endedAt = clock.monotonic();
    if (this.#isClosed) return;
    if (this.#isAsked) this.#begin();
    else this.#schedule();
  }

  #schedule(): void {
    const { clock, everyMs } = this.#options;
    this.#cancel();
    const passed = clock.monotonic() - (this.#endedAt ?? 0);
    this.#cancel = clock.after(Math.max(everyMs() - passed, 0), () => this.now());
  }
}
