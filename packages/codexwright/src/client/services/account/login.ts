import type { LoginAccountParams, LoginAccountResponse } from "../../../protocol/index.ts";
import { AbortedError, InvalidArgumentError, RequestTimeoutError } from "../../../rpc/errors.ts";
import { atLeast } from "../../../protocol/release.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import type { RefreshedTokens } from "../../requests/index.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import { LoginAttempt } from "./attempt.ts";
import { refused } from "./errors.ts";
import type { KeptTokens } from "./kept-tokens.ts";
import { BrowserLogin, DeviceCodeLogin } from "./pending-login.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../../rpc/options/table.ts";

/** The `signal` cancels the whole login, not only its start. `timeoutMs` limits only the start; default: no limit. */
export type BrowserLoginOptions = CallOptions &
  Omit<Extract<LoginAccountParams, { type: "chatgpt" }>, "type">;

const BROWSER: Table<BrowserLoginOptions> = {
  ...CALL_OPTIONS,
  codexStreamlinedLogin: is.anything,
  useHostedLoginSuccessPage: is.anything,
  appBrand: is.anything,
};

/** The server's version determines which ids are required. */
const TOKENS: Table<RefreshedTokens> = {
  accessToken: needed(is.text),
  chatgptAccountId: is.text,
  chatgptPlanType: is.orNull(is.text),
  idToken: is.text,
};

const START = "account/login/start";
const COMPLETED = "account/login/completed";

type Started<T extends string> = Extract<LoginAccountResponse, { type: T }>;

/**
 * The ways to log in. A login that does not succeed rejects with `auth_failed`; no error contains the credentials.
 * The server runs one login at a time: a second one ends the first.
 */
export class Login {
  readonly #host: ServiceHost;
  readonly #kept: KeptTokens;

  constructor(host: ServiceHost, kept: KeptTokens) {
    this.#host = host;
    this.#kept = kept;
  }

  /** Logs in with an OpenAI API key, which the server stores. The key is not validated until a turn needs it. */
  async apiKey(key: string, call: CallOptions = {}): Promise<void> {
    checkOptions("login.apiKey()", call, CALL_OPTIONS);
    // The server would store an empty key and report success.
    if (typeof key !== "string" || key.trim() === "") {
      throw new InvalidArgumentError("the API key must be a non-empty string");
    }
    await this.#atOnce({ type: "apiKey", apiKey: key }, [key], call);
  }

  /** Starts a ChatGPT login in the user's browser: send the user to `authUrl` and await `completed`. */
  async chatgpt(options: BrowserLoginOptions = {}): Promise<BrowserLogin> {
    checkOptions("login.chatgpt()", options, BROWSER);
    const { signal, timeoutMs, ...more } = options;
    const { attempt, started } = await this.#begin({ type: "chatgpt", ...more }, { signal, timeoutMs });
    return new BrowserLogin(this.#host, attempt, started as Started<"chatgpt">);
  }

  /** Starts a ChatGPT login on any device: show `verificationUrl` and `userCode`, and await `completed`. */
  async deviceCode(call: CallOptions = {}): Promise<DeviceCodeLogin> {
    checkOptions("login.deviceCode()", call, CALL_OPTIONS);
    const version = this.#host.serverVersion();
    if (!atLeast(version, "0.118.0")) {
      throw new UnsupportedError(`login by device code needs Codex 0.118.0 or newer, this is ${version}`);
    }
    const { attempt, started } = await this.#begin({ type: "chatgptDeviceCode" }, call);
    return new DeviceCodeLogin(this.#host, attempt, started as Started<"chatgptDeviceCode">);
  }

  /**
   * Logs in with ChatGPT tokens that the caller manages; the server keeps them in memory. When OpenAI refuses them, the
   * server calls the client's `refreshTokens`. If `reconnect` is set, the client logs a replacement server in with the
   * newest tokens. Needs `experimentalApi`.
   */
  async tokens(tokens: RefreshedTokens, call: CallOptions = {}): Promise<void> {
    checkOptions("login.tokens()", tokens, TOKENS);
    checkOptions("login.tokens()", call, CALL_OPTIONS);
    const secrets = [tokens.accessToken, "idToken" in tokens ? tokens.idToken : ""];
    await this.#atOnce(tokensFor(this.#host.serverVersion(), tokens), secrets, call);
    this.#kept.keep(tokens);
  }

  /**
   * Runs a login that needs no user interaction. The answer is not the outcome: the server answers first and then
   * tries the tokens, and only the completion, which has no login id, reports the outcome.
   */
  async #atOnce(params: LoginAccountParams, secrets: readonly string[], call: CallOptions): Promise<void> {
    const { signal, timeoutMs = 30_000 } = call;
    if (signal?.aborted) throw new AbortedError("the login", "notSent", signal.reason);
    const attempt = new LoginAttempt(this.#host, COMPLETED, "the login", signal);
    const late = (): void => attempt.fail(new RequestTimeoutError(START, "unknown", timeoutMs));
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
    try {
      await attempt.during(this.#host.request(START, params, { timeoutMs }));
      attempt.started(({ loginId }) => loginId === null || loginId === undefined);
      await attempt.completed;
    } catch (error) {
      attempt.fail(error);
      throw refused(error, secrets);
    } finally {
      clearTimeout(timer);
    }
  }

  async #begin(
    params: LoginAccountParams,
    { signal, timeoutMs }: CallOptions,
  ): Promise<{ attempt: LoginAttempt<typeof COMPLETED>; started: LoginAccountResponse }> {
    if (signal?.aborted) throw new AbortedError("the login", "notSent", signal.reason);
    const attempt = new LoginAttempt(this.#host, COMPLETED, "the login", signal);
    const request = this.#host.request(START, params, { timeoutMs });
    // An aborted login is also cancelled on the server, as soon as its id is known.
    attempt.completed.catch((error: unknown) => this.#abandon(error, request)).catch(() => {});
    try {
      const started = (await attempt.during(request)) as Started<"chatgpt" | "chatgptDeviceCode">;
      attempt.started(({ loginId }) => loginId === started.loginId);
      return { attempt, started };
    } catch (error) {
      attempt.fail(error);
      throw refused(error);
    }
  }

  async #abandon(why: unknown, request: Promise<LoginAccountResponse>): Promise<void> {
    if (!(why instanceof AbortedError)) return;
    const { loginId } = (await request) as Started<"chatgpt">;
    await this.#host.request("account/login/cancel", { loginId });
  }
}

/** Converts the tokens to the shape that this server reads: up to 0.98 it took the account from an id token. */
function tokensFor(version: string, tokens: RefreshedTokens): LoginAccountParams {
  const { accessToken, chatgptAccountId, chatgptPlanType, idToken } = tokens as Partial<
    Record<string, string>
  >;
  const legacy = !atLeast(version, "0.100.0");
  const own = legacy ? { accessToken, idToken } : { accessToken, chatgptAccountId };
  for (const [name, value] of Object.entries(own)) {
    if (!value) throw new InvalidArgumentError(`tokens must have ${name}, which Codex ${version} needs`);
  }
  const params: object = {
    type: "chatgptAuthTokens",
    ...own,
    ...(!legacy && chatgptPlanType && { chatgptPlanType }),
  };
  return params as LoginAccountParams;
}
