import type { ServerNotifications } from "../../../protocol/index.ts";
import { AbortedError, AuthFailedError, ConnectionClosedError } from "../../../rpc/errors.ts";
import { offAbort, onAbort } from "../../../rpc/on-abort.ts";
import type { ServiceHost } from "../service-host.ts";

type Completion = "account/login/completed" | "mcpServer/oauthLogin/completed";

/**
 * One login attempt. It begins before the login request is written, and ends when the login settles.
 *
 * Login completions can arrive before the answer to the request. So this class listens before the request is written,
 * and keeps early completions until the answer shows which of them belongs to this login.
 */
export class LoginAttempt<M extends Completion> {
  /** Resolves when the login has succeeded. Rejects with `auth_failed`, `aborted` or `connection_closed`. */
  readonly completed: Promise<void>;
  readonly #what: string;
  readonly #stops: (() => void)[] = [];
  #early: ServerNotifications[M][] = [];
  #mine: ((completion: ServerNotifications[M]) => boolean) | undefined;
  /** The error for a failure that is reported while the login is being cancelled. */
  #cancelling: AuthFailedError | undefined;
  #settle: { resolve(): void; reject(error: unknown): void } | undefined;

  constructor(host: ServiceHost, method: M, what: string, signal?: AbortSignal) {
    this.#what = what;
    this.completed = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // The caller may only need the URL and never await `completed`.
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

  /**
   * Settles like the request that starts the login. If the login fails before the answer arrives, rejects with the
   * error of the login.
   */
  async during<T>(request: Promise<T>): Promise<T> {
    return await Promise.race([request, this.completed.then(() => request)]);
  }

  /** Called when the answer has arrived. From now on, `mine` recognises the completion of this login. */
  started(mine: (completion: ServerNotifications[M]) => boolean): void {
    this.#mine = mine;
    for (const completion of this.#early.splice(0)) this.#heard(completion);
  }

  /**
   * Cancels the login when the server has agreed. The server may report the login as failed before it answers. If it
   * reports a success instead, the login has succeeded.
   */
  async cancel(agreed: Promise<unknown>): Promise<void> {
    if (this.settled) return;
    const cancelled = new AuthFailedError(`${this.#what} was cancelled`, { cancelled: true });
    this.#cancelling = cancelled;
    try {
      await agreed;
      this.fail(cancelled);
    } catch (error) {
      // The login ended in the meantime, for example with the connection, so there is nothing left to cancel.
      if (!this.settled) throw error;
    } finally {
      this.#cancelling = undefined;
    }
  }

  /** Rejects `completed`. Only the first outcome counts. */
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
