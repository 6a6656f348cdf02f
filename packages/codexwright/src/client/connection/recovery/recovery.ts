import { CodexError } from "../../../rpc/errors.ts";

/** How a client recovers from the loss of its server. */
export interface ReconnectOptions {
  /** How many times in a row the server may be lost or fail to start before the client gives up; default 5. */
  readonly attempts?: number | undefined;
}

/** The server was lost repeatedly, each time soon after its start. The client has given up. */
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
/** After a server has run this long, earlier losses no longer count. */
const STABLE_MS = 10_000;

/** Counts losses in a row and computes the delay before the next attempt. */
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

  /**
   * Called when the server was lost or could not be started. Returns the delay before the next attempt, or the error to
   * give up with.
   */
  lost(cause: unknown): number | CrashLoopError {
    if (this.#connectedAt > 0 && performance.now() - this.#connectedAt > STABLE_MS) this.#losses = 0;
    this.#connectedAt = 0;
    this.#losses++;
    if (this.#losses > this.#attempts) return new CrashLoopError(this.#losses, cause);
    // Replace the server immediately after the first loss. Wait longer after each further loss.
    if (this.#losses === 1) return 0;
    const ceiling = Math.min(MOST_MS, FIRST_MS * 2 ** (this.#losses - 2));
    return ceiling / 2 + (Math.random() * ceiling) / 2;
  }
}
