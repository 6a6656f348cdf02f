import type { LoginAccountResponse } from "../../../protocol/index.ts";
import type { ServiceHost } from "../service-host.ts";
import type { LoginAttempt } from "./attempt.ts";

/** A login that waits for its user. Disposing it cancels it. */
export class PendingLogin implements AsyncDisposable {
  readonly loginId: string;
  /**
   * Settles with the login: rejects `auth_failed` with the server's reason (with `cancelled` after {@link cancel}),
   * `aborted` where the signal fired, `connection_closed` where the server is gone.
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

  /** Gives the login up. After its end this does nothing. */
  async cancel(): Promise<void> {
    if (this.#attempt.settled) return;
    // The server tells of a completion before it forgets the login: "notFound" never overtakes a success.
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

/** A login in the user's browser; the server listens for its end on this machine. */
export class BrowserLogin extends PendingLogin {
  /** Where to send the user. */
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

/** A login on any device, by a code. */
export class DeviceCodeLogin extends PendingLogin {
  readonly verificationUrl: string;
  /** What the user types in there, once. */
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
