/** The signals that end a fleet: the first one lets the turns end, the second one interrupts them. */
export class Interrupts implements Disposable {
  readonly #stop = new AbortController();
  #drain: (() => void) | undefined;
  #isDraining = false;

  constructor() {
    // Not `once`: a package that restores the cursor ends the process if it is the only listener.
    for (const name of NAMES) process.on(name, this.#onSignal);
  }

  /** Aborts at the second signal, or at the first one if there is nothing to drain yet. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether the first signal has come. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on, the first signal calls this. */
  drainFirst(drain: () => void): void {
    this.#drain = drain;
  }

  [Symbol.dispose](): void {
    for (const name of NAMES) process.off(name, this.#onSignal);
  }

  readonly #onSignal = (): void => {
    if (this.#drain === undefined || this.#isDraining) return this.#stop.abort();
    this.#isDraining = true;
    this.#drain();
  };
}

const NAMES = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
