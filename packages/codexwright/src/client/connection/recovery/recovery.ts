import { CodexError } from "../../../rpc/errors.ts";

/** How a client comes back from the loss of its server. */
export interface ReconnectOptions {
  /** Times in a row that a server may be lost, or not be had, before the client gives up; default 5. */
  readonly attempts?: number | undefined;
}

/** The server was lost again and again, each time soon after it had come back. The client has given up. */
export class CrashLoopError extends CodexError {
  readonly code = "crash_loop";
  readonly attempts: number;

  constructor(attempts: number, cause: unknown) {
    super(`the app-server was lost ${attempts} times in a row: see its stderr`, {
      cause,
      delivery: "notSent",
    });
    this.attempts = attempts;
  }
}

const FIRST_MS = 100;
const MOST_MS = 5_000;
/** A server that has lived this long counts as healthy again. */
const STABLE_MS = 10_000;

/** Counts losses in a row and tells how long to wait before the next try. */
export class LossCounter {
  readonly #attempts: number;
  #losses = 0;
  #connectedAt = 0;

  constructor({ attempts = 5 }: ReconnectOptions) {
    this.#attempts = attempts;
  }

  connected(): void {
    this.#connectedAt = performance.now();
  }

  /** The server is gone, or could not be had; gives the wait before the next try, or the error to end with. */
  lost(cause: unknown): number | CrashLoopError {
    if (this.#connectedAt > 0 && performance.now() - this.#connectedAt > STABLE_MS) this.#losses = 0;
    this.#connectedAt = 0;
    this.#losses++;
    if (this.#losses > this.#attempts) return new CrashLoopError(this.#losses, cause);
    // A healthy server that dies is replaced at once; one that does not stay, more and more slowly.
    if (this.#losses === 1) return 0;
    const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** (this.#losses - 2));
    return ceiling / 2 + (Math.random() * ceiling) / 2;
  }
}
