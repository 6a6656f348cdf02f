import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { expect } from "vitest";
import { fail, reply } from "@codexwright/testing";
import { codexBinary } from "../../../../scripts/install-cached.ts";
import { soleBrowserLogin } from "@codexwright/test-support/browser-login";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { oauthMcpServer } from "@codexwright/test-support/oauth-mcp-server";
import { ACCOUNT, accessToken, chatgptBackend } from "./chatgpt-backend.ts";
import { killAll, PINNED, processesOf, world } from "@codexwright/test-support/world";

/** A provider that requires an OpenAI login. With any other provider, the server reports no account. */
const OPENAI = "[model_providers.mock]\nrequires_openai_auth = true\n";
const KEY = "sk-live-test-secret-key";

verifies(
  ["login.api-key", "account.read"],
  "logs in with an API key, which is reported as the account and used for the model, and logs out",
  async () => {
    await using live = await world(() => reply("done"), { config: OPENAI });
    const { codex } = live;
    expect(await codex.account()).toMatchObject({ account: null, requiresOpenaiAuth: true });
    const updates: unknown[] = [];
    live.codex.onNotification("account/updated", ({ authMode }) => updates.push(authMode));
    await codex.login.apiKey(KEY);
    expect((await codex.account()).account).toEqual({ type: "apiKey" });
    const thread = await live.codex.startThread();
    expect((await thread.run("go")).agentMessage).toBe("done");
    expect(live.model.requests[0]?.headers).toHaveProperty("authorization");
    const stored = path.join(live.server.codexHome, "auth.json");
    expect(readFileSync(stored, "utf8")).toContain(KEY);
    await codex.logout();
    expect((await codex.account()).account).toBeNull();
    expect(existsSync(stored)).toBe(false);
    await codex.logout();
    expect(updates.slice(0, 2)).toEqual(["apikey", null]);
  },
  PINNED,
);

verifies(
  ["login.browser", "login.cancel"],
  "browser logins start without network, a second one ends the first, and each can be cancelled",
  async () => {
    await using _alone = await soleBrowserLogin();
    await using live = await world([]);
    const login = live.codex.login;
    const first = await login.chatgpt();
    expect(new URL(first.authUrl).searchParams.get("redirect_uri")).toMatch(/\/auth\/callback$/);
    const second = await login.chatgpt();
    expect(await rejection(first.completed)).toMatchObject({ code: "auth_failed", cancelled: false });
    await first.cancel();
    await second.cancel();
    expect(await rejection(second.completed)).toMatchObject({ code: "auth_failed", cancelled: true });

    const stop = new AbortController();
    const third = await login.chatgpt({ signal: stop.signal });
    stop.abort();
    expect(await rejection(third.completed)).toMatchObject({ code: "aborted" });
    const fourth = await login.chatgpt();
    await live.codex.disconnect();
    expect(await rejection(fourth.completed)).toMatchObject({ code: "connection_closed" });
  },
  PINNED,
);

verifies(
  "login.device-code",
  "without network, a login by device code fails immediately with the reason",
  async () => {
    await using live = await world([]);
    const error = await rejection(live.codex.login.deviceCode());
    expect(error).toMatchObject({ code: "auth_failed", cause: { code: "rpc", rpcCode: -32603 } });
    expect(String(error)).toContain("device code");
  },
  PINNED,
);

verifies(
  ["login.tokens", "account.read", "account.rate-limits"],
  "logs in with the caller's tokens, refreshes them, reads limits, and ignores nulls in an update",
  async () => {
    const asked: unknown[] = [];
    await using backend = await chatgptBackend();
    await using live = await world(
      ({ index }) =>
        [
          fail(401),
          reply("welcome"),
          fail(429, { code: "usage_limit_reached", headers: { "x-codex-primary-used-percent": "42" } }),
        ][index] ?? fail(500),
      {
        config: `chatgpt_base_url = "${backend.url}"\n${OPENAI}`,
        client: {
          refreshTokens: ({ reason, previousAccountId }) => {
            asked.push({ reason, previousAccountId });
            return { accessToken: accessToken("renewed"), chatgptAccountId: ACCOUNT, chatgptPlanType: "pro" };
          },
        },
      },
    );
    const { codex } = live;
    const limits = codex.rateLimits;
    await codex.login.tokens({ accessToken: accessToken("old"), chatgptAccountId: ACCOUNT });
    expect((await codex.account()).account).toMatchObject({
      type: "chatgpt",
      email: "somebody@example.test",
      planType: "pro",
    });
    expect(existsSync(path.join(live.server.codexHome, "auth.json"))).toBe(false);
    const primary = { usedPercent: 12, windowDurationMins: 300, resetsAt: 1_900_000_000 };
    expect((await limits.read()).rateLimits.primary).toEqual(primary);

    // The turn that receives the 401 may fail: the server also tries to renew other tokens, but it has no network.
    const thread = await live.codex.startThread();
    await thread.run("go").catch(() => {});
    expect(asked).toEqual([{ reason: "unauthorized", previousAccountId: ACCOUNT }]);
    const next = thread.run("go");
    const updated = new Promise<void>((resolve) => {
      const stop = limits.subscribe(() => (stop(), resolve()));
    });
    expect((await next).agentMessage).toBe("welcome");
    await updated;
    expect(limits.current?.rateLimits.primary).toEqual(primary);

    const used = deferred();
    limits.subscribe(({ rateLimits }) => rateLimits.primary?.usedPercent === 42 && used.resolve());
    expect(await rejection(thread.run("go"))).toMatchObject({ code: "turn_failed" });
    await used.promise;
    expect(limits.current?.rateLimitsByLimitId?.["codex"]?.primary).toEqual({ ...primary, usedPercent: 42 });
    expect(limits.current?.rateLimits.planType).toBe("pro");
  },
  PINNED,
);

verifies(
  ["recovery.tokens", "login.tokens"],
  "if a lost server is replaced, logs in on the new one with the caller's tokens",
  async () => {
    await using backend = await chatgptBackend();
    await using live = await world(() => reply("welcome back"), {
      config: `chatgpt_base_url = "${backend.url}"\n${OPENAI}`,
      client: { reconnect: {} },
    });
    const { codex } = live;
    await codex.login.tokens({ accessToken: accessToken("kept"), chatgptAccountId: ACCOUNT });
    const reconnected = deferred();
    codex.on("reconnected", () => reconnected.resolve());
    killAll(processesOf(live.server.root));
    await reconnected.promise;
    expect((await codex.account()).account).toMatchObject({
      type: "chatgpt",
      email: "somebody@example.test",
    });
    const thread = await codex.startThread();
    expect((await thread.run("go")).agentMessage).toBe("welcome back");
    expect(live.model.requests.at(-1)?.headers).toHaveProperty("authorization");
  },
  PINNED,
);

verifies(
  ["secrets.errors", "login.tokens"],
  "no error contains a token, whether the JWT is invalid, the opt-in is missing, or the tokens cannot be renewed",
  async () => {
    const secret = "not-a-jwt-but-a-secret";
    await using live = await world([]);
    await using stable = await world([], { client: { experimentalApi: false } });
    const tokens = { accessToken: secret, chatgptAccountId: ACCOUNT };
    const errors = [
      await rejection(live.codex.login.tokens(tokens)),
      await rejection(stable.codex.login.tokens(tokens)),
    ];
    expect(errors).toMatchObject([{ code: "auth_failed" }, { code: "rpc" }]);
    expect(String(errors[1])).toContain("requires experimentalApi");
    expect(inspect(errors, { depth: 10, showHidden: true })).not.toContain(secret);

    const token = accessToken("refused");
    await using backend = await chatgptBackend();
    await using refused = await world(() => fail(401), {
      config: `chatgpt_base_url = "${backend.url}"\n${OPENAI}`,
    });
    const heard: unknown[] = [];
    refused.codex.on("stderr", (text) => heard.push(text));
    refused.codex.on("warning", (warning) => heard.push(warning));
    await refused.codex.login.tokens({ accessToken: token, chatgptAccountId: ACCOUNT });
    const thread = await refused.codex.startThread();
    heard.push(await rejection(thread.run("go")));
    expect(heard.at(-1)).toMatchObject({ code: "turn_failed" });
    expect(inspect(heard, { depth: 10, showHidden: true })).not.toContain(token);
  },
  PINNED,
);

verifies(
  ["login.tokens", "account.rate-limits"],
  "a login with tokens that cannot be verified rejects with auth_failed although its request succeeded; limits need a login",
  async () => {
    await using live = await world([], { config: OPENAI });
    const { codex } = live;
    expect(await rejection(codex.rateLimits.read())).toMatchObject({ code: "rpc", rpcCode: -32600 });
    const tokens = { accessToken: accessToken("offline"), chatgptAccountId: ACCOUNT };
    expect(await rejection(codex.login.tokens(tokens))).toMatchObject({
      code: "auth_failed",
      message: "workspace routing discovery failed",
    });
  },
  PINNED,
);

for (const version of ["0.98.0", "0.120.0"]) {
  verifies(
    ["login.api-key", "account.read", "login.browser", "login.cancel"],
    `API key and browser logins behave the same on ${version}`,
    async () => {
      await using _alone = await soleBrowserLogin();
      await using live = await world([], { config: OPENAI, codexPath: await codexBinary(version) });
      const { codex } = live;
      const browser = await codex.login.chatgpt();
      await browser.cancel();
      expect(await rejection(browser.completed)).toMatchObject({ code: "auth_failed", cancelled: true });
      await codex.login.apiKey(KEY);
      expect((await codex.account()).account).toEqual({ type: "apiKey" });
      await codex.logout();
      expect((await codex.account()).account).toBeNull();
    },
    { against: `codex ${version}`, timeoutMs: 180_000 },
  );
}

verifies(
  "mcp.login",
  "lists and reloads MCP servers, and rejects a login to an unreachable one with auth_failed",
  async () => {
    await using live = await world([], { config: '[mcp_servers.remote]\nurl = "http://127.0.0.1:9/mcp"\n' });
    const mcp = live.codex.mcp;
    const names: string[] = [];
    for await (const { name } of mcp.servers({ detail: "toolsAndAuthOnly" })) names.push(name);
    expect(names).toEqual(["remote"]);
    await mcp.reload();
    expect(await rejection(mcp.login("remote"))).toMatchObject({ code: "auth_failed" });
    expect(await rejection(mcp.login("nobody"))).toMatchObject({ code: "auth_failed" });
  },
  PINNED,
);

verifies(
  "mcp.login",
  "an OAuth login to an MCP server returns its URL and is completed by the browser's callback",
  async () => {
    await using remote = await oauthMcpServer();
    await using live = await world([], {
      config: `mcp_oauth_credentials_store = "file"\n[mcp_servers.remote]\nurl = "${remote.url}"\n`,
    });
    const login = await live.codex.mcp.login("remote", { scopes: ["read"] });
    const { searchParams } = new URL(login.authorizationUrl);
    expect(searchParams.get("scope")).toBe("read");
    const callback = new URL(searchParams.get("redirect_uri") ?? "");
    callback.searchParams.set("code", "the-code");
    callback.searchParams.set("state", searchParams.get("state") ?? "");
    expect((await fetch(callback)).status).toBe(200);
    await login.completed;
  },
  PINNED,
);
