import { inspect } from "node:util";
import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { fakeClient } from "../../fake-client.ts";

const FAKE: VerifiesOptions = { against: "fake" };
const BROWSER = { type: "chatgpt", loginId: "one", authUrl: "https://login.test/one" };
const DEVICE = {
  type: "chatgptDeviceCode",
  loginId: "two",
  verificationUrl: "https://login.test/device",
  userCode: "ABCD-1234",
};

const completed = (loginId: string | null, error: string | null = null): WireStep => ({
  send: { method: "account/login/completed", params: { loginId, success: error === null, error } },
});

verifies(
  "login.browser",
  "accepts a completion that arrives before the answer, and ignores those of other logins",
  async () => {
    await using world = await fakeClient([
      { on: "account/login/start" },
      completed("another", "not this one"),
      completed(null, "nor this one"),
      completed("one"),
      { answer: "account/login/start", result: BROWSER },
    ]);
    const login = await world.codex.login.chatgpt({ appBrand: "codex" });
    expect(login).toMatchObject({ loginId: "one", authUrl: "https://login.test/one" });
    await login.completed;
    await login.cancel();
    expect(world.sent()).toEqual([
      { method: "account/login/start", params: { type: "chatgpt", appBrand: "codex" } },
    ]);
  },
  FAKE,
);

verifies(
  ["login.device-code", "login.browser"],
  "a failed login rejects with auth_failed and the server's reason",
  async () => {
    await using world = await fakeClient([
      { on: "account/login/start", result: DEVICE },
      completed("two", "the code has expired"),
      { on: "account/login/start", result: BROWSER },
      completed("one", ""),
    ]);
    const login = world.codex.login;
    const device = await login.deviceCode();
    expect(device).toMatchObject({ verificationUrl: DEVICE.verificationUrl, userCode: "ABCD-1234" });
    expect(await rejection(device.completed)).toMatchObject({
      code: "auth_failed",
      message: "the code has expired",
      cancelled: false,
      delivery: "rejected",
    });
    const browser = await login.chatgpt();
    expect(await rejection(browser.completed)).toMatchObject({ message: "the login failed" });
  },
  FAKE,
);

verifies(
  "login.browser",
  "ends the login when the connection is lost, before and after the answer",
  async () => {
    await using early = await fakeClient([{ on: "account/login/start" }, { exit: 1 }]);
    const start = rejection(early.codex.login.chatgpt());
    expect(await start).toMatchObject({ code: "connection_closed" });
    await using late = await fakeClient([{ on: "account/login/start", result: BROWSER }, { exit: 1 }]);
    const login = await late.codex.login.chatgpt();
    expect(await rejection(login.completed)).toMatchObject({ code: "connection_closed" });
    await login[Symbol.asyncDispose]();
  },
  FAKE,
);

verifies(
  "login.cancel",
  "cancelling settles the login when the server has answered, even if the server no longer knows the login",
  async () => {
    await using world = await fakeClient([
      { on: "account/login/start", result: BROWSER },
      { on: "account/login/cancel", result: { status: "canceled" } },
      completed("one", "Login was not completed"),
      { on: "account/login/start", result: DEVICE },
      { on: "account/login/cancel" },
      completed("two", "Login was not completed"),
      { answer: "account/login/cancel", result: { status: "notFound" } },
      { on: "account/login/start", result: DEVICE },
      { on: "account/login/cancel", result: { status: "notFound" } },
    ]);
    const browser = await world.codex.login.chatgpt();
    await browser.cancel();
    expect(await rejection(browser.completed)).toMatchObject({ code: "auth_failed", cancelled: true });
    for (const device of [world.codex.login, world.codex.login]) {
      const login = await device.deviceCode();
      await login[Symbol.asyncDispose]();
      expect(await rejection(login.completed)).toMatchObject({ code: "auth_failed", cancelled: true });
    }
    expect(world.sent()).toContainEqual({ method: "account/login/cancel", params: { loginId: "two" } });
  },
  FAKE,
);

verifies(
  "login.cancel",
  "if the login succeeds before the answer to cancel arrives, it counts as successful",
  async () => {
    await using world = await fakeClient([
      { on: "account/login/start", result: BROWSER },
      { on: "account/login/cancel" },
      completed("one"),
      { answer: "account/login/cancel", result: { status: "notFound" } },
    ]);
    const login = await world.codex.login.chatgpt();
    await login.cancel();
    await login.completed;
  },
  FAKE,
);

verifies(
  "login.cancel",
  "cancel rejects if the server refuses it, and the login continues",
  async () => {
    await using world = await fakeClient([
      { on: "account/login/start", result: BROWSER },
      { on: "account/login/cancel", error: { code: -32600, message: "invalid login id: one" } },
      { on: "account/logout", result: {} },
      completed("one"),
    ]);
    const login = await world.codex.login.chatgpt();
    expect(await rejection(login.cancel())).toMatchObject({ code: "rpc" });
    await world.codex.request("account/logout", undefined);
    await login.completed;
  },
  FAKE,
);

verifies(
  "login.cancel",
  "a signal cancels the login immediately, and on the server as soon as its id is known",
  async () => {
    await using world = await fakeClient([
      { on: "account/login/start" },
      { on: "account/logout", result: {} },
      { answer: "account/login/start", result: BROWSER },
      { on: "account/login/cancel", result: { status: "canceled" } },
      { send: { method: "account/updated", params: { authMode: null, planType: null } } },
      { on: "account/login/start", result: DEVICE },
      { on: "account/login/cancel", result: { status: "canceled" } },
      { send: { method: "account/updated", params: { authMode: null, planType: null } } },
    ]);
    const login = world.codex.login;
    const heard = (): Promise<void> =>
      new Promise((resolve) => {
        const stop = world.codex.onNotification("account/updated", () => (stop(), resolve()));
      });

    const never = await rejection(login.chatgpt({ signal: AbortSignal.abort("no") }));
    expect(never).toMatchObject({ code: "aborted", delivery: "notSent", cause: "no" });
    expect(world.sent()).toEqual([]);

    let stop = new AbortController();
    let cancelled = heard();
    const start = rejection(login.chatgpt({ signal: stop.signal }));
    stop.abort("changed my mind");
    expect(await start).toMatchObject({ code: "aborted", cause: "changed my mind" });
    await world.codex.request("account/logout", undefined);
    await cancelled;

    stop = new AbortController();
    cancelled = heard();
    const device = await login.deviceCode({ signal: stop.signal });
    stop.abort();
    expect(await rejection(device.completed)).toMatchObject({ code: "aborted" });
    await cancelled;
    expect(world.sent().filter((each) => JSON.stringify(each).includes("cancel"))).toEqual([
      { method: "account/login/cancel", params: { loginId: "one" } },
      { method: "account/login/cancel", params: { loginId: "two" } },
    ]);
  },
  FAKE,
);

verifies(
  ["login.api-key", "login.tokens"],
  "waits for the completion of key and token logins, and sends them in the shape that the server reads",
  async () => {
    const start: WireStep = { on: "account/login/start", result: { type: "apiKey" } };
    const tokens = { accessToken: "access-token-of-mine", chatgptAccountId: "account", idToken: "id-token" };
    await using world = await fakeClient([
      completed("another", "x"),
      start,
      completed(null),
      start,
      completed(null),
    ]);
    await world.codex.login.apiKey("sk-key");
    await world.codex.login.tokens({ ...tokens, chatgptPlanType: "pro" });
    expect(world.sent().map((each) => (each as { params: unknown }).params)).toEqual([
      { type: "apiKey", apiKey: "sk-key" },
      {
        type: "chatgptAuthTokens",
        accessToken: "access-token-of-mine",
        chatgptAccountId: "account",
        chatgptPlanType: "pro",
      },
    ]);
    await using old = await fakeClient([start, completed(null)], "0.98.0");
    await old.codex.login.tokens(tokens);
    expect(old.sent()).toEqual([
      {
        method: "account/login/start",
        params: { type: "chatgptAuthTokens", accessToken: "access-token-of-mine", idToken: "id-token" },
      },
    ]);
  },
  FAKE,
);

verifies(
  ["login.tokens", "secrets.errors"],
  "rejects with auth_failed if a login fails after its answer, and with request_timeout if it never ends",
  async () => {
    const start: WireStep = { on: "account/login/start", result: { type: "chatgptAuthTokens" } };
    const accessToken = "a-very-secret-token";
    await using world = await fakeClient([start, completed(null, `bad token ${accessToken}`), start, start]);
    const login = world.codex.login;
    const tokens = { accessToken, chatgptAccountId: "account" };
    expect(await rejection(login.tokens(tokens))).toMatchObject({
      code: "auth_failed",
      message: "bad token [redacted]",
    });
    expect(await rejection(login.tokens(tokens, { timeoutMs: 5 }))).toMatchObject({
      code: "request_timeout",
      timeoutMs: 5,
    });
    const stop = new AbortController();
    const aborted = rejection(login.apiKey("sk-key", { signal: stop.signal }));
    stop.abort();
    expect(await aborted).toMatchObject({ code: "aborted" });
    expect(await rejection(login.apiKey("sk-key", { signal: stop.signal }))).toMatchObject({
      delivery: "notSent",
    });
  },
  FAKE,
);

verifies(
  ["login.api-key", "login.tokens", "login.device-code"],
  "rejects logins that cannot work before anything is sent",
  async () => {
    await using world = await fakeClient([]);
    await using old = await fakeClient([], "0.98.0");
    const invalid = { code: "invalid_argument" };
    expect(await rejection(world.codex.login.apiKey("  "))).toMatchObject(invalid);
    const idToken = { accessToken: "secret-access", idToken: "secret-id" };
    const account = { accessToken: "secret-access", chatgptAccountId: "account" };
    const errors = [
      await rejection(world.codex.login.tokens(idToken)),
      await rejection(old.codex.login.tokens(account)),
    ];
    expect(errors).toMatchObject([invalid, invalid]);
    expect(String(errors)).toContain("chatgptAccountId");
    expect(String(errors)).toContain("idToken, which Codex 0.98.0 needs");
    expect(String(errors)).not.toContain("secret-");
    expect(await rejection(old.codex.login.deviceCode())).toMatchObject({
      code: "unsupported",
      delivery: "notSent",
    });
    expect([...world.sent(), ...old.sent()]).toEqual([]);
  },
  FAKE,
);

verifies(
  "secrets.errors",
  "no error contains a secret, although the server quotes it",
  async () => {
    const quote = (secret: string): WireStep => ({
      on: "account/login/start",
      error: { code: -32600, message: `invalid "${secret}"`, data: { given: [secret], kind: "bad" } },
    });
    const key = "sk-very-secret-key";
    const access = "eyJhbGciOiJub25lIn0.e30.c2ln";
    await using world = await fakeClient([quote(key), quote(access)]);
    const login = world.codex.login;
    const errors = [
      await rejection(login.apiKey(key)),
      await rejection(login.tokens({ accessToken: access, chatgptAccountId: "account" })),
    ];
    for (const error of errors) {
      expect(error).toMatchObject({
        code: "auth_failed",
        message: 'invalid "[redacted]"',
        cause: { code: "rpc", rpcCode: -32600 },
      });
      const everything = inspect(error, { depth: 10, showHidden: true }) + String((error as Error).stack);
      expect(everything).not.toContain(key);
      expect(everything).not.toContain(access);
    }
  },
  FAKE,
);
