import type { TurnRetryingError } from "../../client/index.ts";
import { offAbort, onAbort } from "../../rpc/on-abort.ts";
import type { Clock } from "../clock.ts";
import { AgentError, DeadlineExceededError } from "../errors.ts";
import type { Deadline } from "../limits.ts";
import type { Activity } from "./activity.ts";

/**
 * Stops a run early, because of its deadline, its budget, the caller's signal or an interrupt. Only the first reason
 * counts.
 */
export class Stop implements Disposable {
  readonly #controller = new AbortController();
  readonly #promptId: string;
  readonly #activity: Activity;
  readonly #outer: AbortSignal | undefined;
  readonly #trouble: () => TurnRetryingError | undefined;
  #cancelTimer = (): void => {};
  /** Rejects when the run is stopped, and otherwise stays pending. */
  readonly #stopped: Promise<never>;

  /** @param trouble returns the error that makes the server retry, for the message of a deadline error */
  constructor(
    promptId: string,
    clock: Clock,
    deadline: Deadline | undefined,
    outer: AbortSignal | undefined,
    activity: Activity,
    trouble: () => TurnRetryingError | undefined = () => undefined,
  ) {
    this.#trouble = trouble;
    this.#promptId = promptId;
    this.#activity = activity;
    this.#outer = outer;
    this.#stopped = new Promise((_, reject) => {
      this.signal.addEventListener("abort", () => reject(this.signal.reason as Error), { once: true });
    });
    this.#stopped.catch(() => {});
    if (outer?.aborted) this.#onAbort();
    else onAbort(outer, this.#onAbort);
    if (deadline) this.#watch(deadline, clock);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the run was stopped. Undefined if it was not. */
  get reason(): AgentError | undefined {
    return this.signal.aborted ? (this.signal.reason as AgentError) : undefined;
  }

  stop(reason: AgentError): void {
    if (!this.signal.aborted) this.#controller.abort(reason);
  }

  throwIfStopped(): void {
    if (this.reason) throw this.reason;
  }

  /** Settles like the promise. If the run is stopped first, rejects with the reason. */
  async guard<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => {}); // may reject after the run was stopped
    return await Promise.race([promise, this.#stopped]);
  }

  [Symbol.dispose](): void {
    this.#cancelTimer();
    offAbort(this.#outer, this.#onAbort);
  }

  /**
   * Starts a timer for the remaining time, and repeats that until the deadline has passed. One timer may not be enough,
   * because a deadline can be longer than the maximum length of a timer.
   */
  #watch(deadline: Deadline, clock: Clock): void {
    if (deadline.expired) {
      const cause = this.#trouble();
      const details = { promptId: this.#promptId, ...(cause && { cause }) };
      const lastError = cause ? `; the last error was: ${cause.message}` : "";
      const during = `${String(this.#activity)}${lastError}`;
      return this.stop(new DeadlineExceededError(deadline.ms, during, details));
    }
    this.#cancelTimer = clock.after(deadline.remainingMs(), () => this.#watch(deadline, clock));
  }

  readonly #onAbort = (): void => {
    const details = { promptId: this.#promptId, cause: this.#outer?.reason as unknown };
    this.stop(new AgentError("aborted", "request", "the run was aborted by its signal", details));
  };
}
