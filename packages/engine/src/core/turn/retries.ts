import { offAbort, onAbort } from "codexwright/internal";
import type { Clock } from "../ports.ts";
import type { ModelError } from "./model-error.ts";
import { RetryPolicy, type Repetition } from "./retry-policy.ts";
import { turnErrorOf } from "./turn-errors.ts";
import type { TurnRun } from "./turn-run.ts";

/** Waits before a failed model request of a turn is repeated, and notifies clients. */
export class Retries {
  readonly #run: TurnRun;
  readonly #policy: RetryPolicy;

  constructor(run: TurnRun) {
    this.#run = run;
    this.#policy = new RetryPolicy(run.thread.host.retries);
  }

  /**
   * Returns false if the request must not be repeated. Otherwise waits, and returns true. Rejects if the turn is
   * interrupted. `before` is called before clients are notified.
   */
  async again(error: ModelError, before: () => void = () => {}): Promise<boolean> {
    const { clock, retries } = this.#run.thread.host;
    const next = this.#policy.next(error);
    if (!next) return false;
    if (next.kind !== "request") {
      before();
      this.#tell(next, error, retries.streams);
    }
    await sleep(clock, next.waitMs, this.#run.signal);
    return true;
  }

  /** Forgets the failures, after a response that completed. */
  reset(): void {
    this.#policy.reset();
  }

  #tell({ kind, count }: Repetition, error: ModelError, most: number): void {
    const { phase, status } = error.details;
    const failed = turnErrorOf(error);
    const httpStatusCode =
      phase === "status" && failed.codexErrorInfo !== "internalServerError" ? status : null;
    this.#run.notify("error", {
      error: {
        message: `Reconnecting... ${kind === "connection" ? "waiting for network" : `${count}/${most}`}`,
        codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: httpStatusCode ?? null } },
        additionalDetails: failed.message,
        misalignment: null,
      },
      willRetry: true,
    });
  }
}

/** Waits. Rejects with the signal's reason if the signal aborts. */
async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  let stop = (): void => {};
  try {
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      stop = () => {
        cancel();
        resolve();
      };
      onAbort(signal, stop);
    });
  } finally {
    offAbort(signal, stop);
  }
  signal.throwIfAborted();
}
