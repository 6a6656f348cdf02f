import type { LoginAccountResponse } from "../../../protocol/index.ts";
import type { ServiceHost } from "../service-host.ts";
import type { LoginAttempt } from "./attempt.ts";

/** A login that waits for its user. Disposing it cancels the login. */
export class PendingLogin implements AsyncDisposable {
  readonly loginId: string;
  /**
   * Resolves when the login has succeeded. Rejects with `auth_failed` and the server's reason (with `cancelled` after
   * {@link cancel}), `aborted` if the signal fired, or `connection_closed` if the connection was lost.
   */
  readonly completed: Promise<void>;
  readonly #host: ServiceHost;
  readonly #attempt: LoginAttempt<"account/login/completed">;

  constructor(host: ServiceHost, attempt: LoginAttempt<"account/login/completed">, loginId: string) {
    this.#host = host;
    this.#attempt = attempt;
    this.loginId = loginId;
    this.completed = attempt.completed;
  }

  /** Cancels the login. Does nothing after the login has ended. */
  async cancel(): Promise<void> {
    if (this.#attempt.settled) return;
    // The server reports a completion before it forgets the login, so "notFound" never arrives before a success.
    await this.#attempt.cancel(this.#host.request("account/login/cancel", { loginId: this.loginId }));
  }

  /** The same as `cancel`. */
  close(): Promise<void> {
    return this.cancel();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cancel();
  }
}

/** A login in the user's browser. The server listens on its own machine for the browser's callback. */
export class BrowserLogin extends PendingLogin {
  /** The URL to send the user to. */
  readonly authUrl: string;

  constructor(
    host: ServiceHost,
    attempt: LoginAttempt<"account/login/completed">,
    started: Extract<LoginAccountResponse, { type: "chatgpt" }>,
  ) {
    super(host, attempt, started.loginId);
    this.authUrl = started.authUrl;
  }
}

/** A login on any device, with a code. */
export class DeviceCodeLogin extends PendingLogin {
  readonly verificationUrl: string;
  /** The one-time code that the user enters at `verificationUrl`. */
  readonly userCode: string;

  constructor(
    host: ServiceHost,
    attempt: LoginAttempt<"account/login/completed">,
    started: Extract<LoginAccountResponse, { type: "chatgptDeviceCode" }>,
  ) {
    super(host, attempt, started.loginId);
    this.verificationUrl = started.verificationUrl;
    this.userCode = started.userCode;
  }
}
