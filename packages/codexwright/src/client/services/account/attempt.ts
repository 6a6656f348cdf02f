import type { ServerNotifications } from "../../../protocol/index.ts";
import { AbortedError, AuthFailedError, ConnectionClosedError } from "../../../rpc/errors.ts";
import { offAbort, onAbort } from "../../../rpc/on-abort.ts";
import type { ServiceHost } from "../service-host.ts";

type Completion = "account/login/completed" | "mcpServer/oauthLogin/completed";

/**
 * One login on its way, from before it is asked for to its one outcome.
 *
 * It listens before the request is written and keeps what it hears until the answer tells which completion is
 * its own, because completions overtake answers.
 */
export class LoginAttempt<M extends Completion> {
  /** Settles with the login; rejects `auth_failed`, `aborted` or `connection_closed`. */
  readonly completed: Promise<void>;
  readonly #what: string;
  readonly #stops: (() => void)[] = [];
  #early: ServerNotifications[M][] = [];
  #mine: ((completion: ServerNotifications[M]) => boolean) | undefined;
  /** What a failure is while the login is being cancelled. */
  #cancelling: AuthFailedError | undefined;
  #settle: { resolve(): void; reject(error: unknown): void } | undefined;

  constructor(host: ServiceHost, method: M, what: string, signal?: AbortSignal) {
    this.#what = what;
    this.completed = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Whoever started the login may only want the URL.
    this.completed.catch(() => {});
    if (signal) this.#follow(signal);
    this.#stops.push(
      host.onNotification(method, (completion) => this.#heard(completion)),
      host.onClosed((reason) => this.fail(new ConnectionClosedError(reason, "unknown"))),
    );
  }

  get settled(): boolean {
    return this.#settle === undefined;
  }

  /** The request that starts the login, or what ended the login before it was answered. */
  async during<T>(request: Promise<T>): Promise<T> {
    return await Promise.race([request, this.completed.then(() => request)]);
  }

  /** The answer is here: from now on it is known which completion is meant. */
  started(mine: (completion: ServerNotifications[M]) => boolean): void {
    this.#mine = mine;
    for (const completion of this.#early.splice(0)) this.#heard(completion);
  }

  /**
   * Gives the login up once the server has agreed. Its word that the login failed may come before its answer; a
   * success that does wins.
   */
  async cancel(agreed: Promise<unknown>): Promise<void> {
    if (this.settled) return;
    const cancelled = new AuthFailedError(`${this.#what} was cancelled`, { cancelled: true });
    this.#cancelling = cancelled;
    try {
      await agreed;
      this.fail(cancelled);
    } catch (error) {
      // It ended meanwhile, with the connection for instance: there is nothing left to cancel.
      if (!this.settled) throw error;
    } finally {
      this.#cancelling = undefined;
    }
  }

  /** Ends the wait; the first outcome counts. */
  fail(error: unknown): void {
    this.#end()?.reject(error);
  }

  #heard(completion: ServerNotifications[M]): void {
    if (!this.#mine) this.#early.push(completion);
    else if (this.#mine(completion)) {
      if (completion.success) this.#end()?.resolve();
      else this.fail(this.#cancelling ?? new AuthFailedError(completion.error || `${this.#what} failed`));
    }
  }

  #follow(signal: AbortSignal): void {
    const abort = (): void => this.fail(new AbortedError(this.#what, "unknown", signal.reason));
    onAbort(signal, abort);
    this.#stops.push(() => offAbort(signal, abort));
  }

  #end(): { resolve(): void; reject(error: unknown): void } | undefined {
    const settle = this.#settle;
    this.#settle = undefined;
    this.#early = [];
    for (const stop of this.#stops.splice(0)) stop();
    return settle;
  }
}
