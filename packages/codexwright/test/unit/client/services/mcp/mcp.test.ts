import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies, type VerifiesOptions } from "@codexwright/test-support/verifies";
import { fakeClient } from "../../fake-client.ts";

const FAKE: VerifiesOptions = { against: "fake" };
const URL = "https://mcp.test/authorize";
const completed = (params: object): WireStep => ({
  send: { method: "mcpServer/oauthLogin/completed", params: { threadId: null, ...params } },
});

verifies(
  "mcp.login",
  "settles a login with its own completion, which it finds by id or, on older servers, by name",
  async () => {
    await using world = await fakeClient([
      { on: "mcpServer/oauth/login" },
      completed({ name: "other", success: false }),
      completed({ name: "docs", loginId: "0", success: false, error: "an earlier one" }),
      completed({ name: "docs", loginId: "1", success: true }),
      { answer: "mcpServer/oauth/login", result: { authorizationUrl: URL, loginId: "1" } },
      { on: "mcpServer/oauth/login", result: { authorizationUrl: URL } },
      completed({ name: "docs", success: false, error: "denied by the user" }),
    ]);
    const mcp = world.codex.mcp;
    const login = await mcp.login("docs", { scopes: ["read"], timeoutSecs: 60 });
    expect(login).toMatchObject({ serverName: "docs", authorizationUrl: URL, loginId: "1" });
    await login.completed;
    const older = await mcp.login("docs");
    expect(await rejection(older.completed)).toMatchObject({
      code: "auth_failed",
      message: "denied by the user",
    });
    expect(world.sent()[0]).toEqual({
      method: "mcpServer/oauth/login",
      params: { name: "docs", scopes: ["read"], timeoutSecs: 60 },
    });
  },
  FAKE,
);

verifies(
  "mcp.login",
  "a login ends when it is cancelled, when its signal aborts, or when the connection ends",
  async () => {
    const start: WireStep = { on: "mcpServer/oauth/login", result: { authorizationUrl: URL } };
    await using world = await fakeClient([start, start, start, { exit: 1 }]);
    const mcp = world.codex.mcp;
    const stop = new AbortController();
    const aborted = await mcp.login("docs", { signal: stop.signal });
    stop.abort();
    expect(await rejection(aborted.completed)).toMatchObject({ code: "aborted" });
    expect(await rejection(mcp.login("docs", { signal: stop.signal }))).toMatchObject({
      delivery: "notSent",
    });
    const given = await mcp.login("docs");
    given.cancel();
    expect(await rejection(given.completed)).toMatchObject({ code: "auth_failed", cancelled: true });
    const cut = await mcp.login("docs");
    expect(await rejection(cut.completed)).toMatchObject({ code: "connection_closed" });
  },
  FAKE,
);

verifies(
  "mcp.login",
  "rejects with auth_failed if the server refuses a login, and lists servers page by page",
  async () => {
    await using world = await fakeClient([
      { on: "mcpServer/oauth/login", error: { code: -32600, message: "No MCP server named 'nope' found." } },
      { on: "mcpServerStatus/list", result: { data: [{ name: "a" }], nextCursor: "1" } },
      { on: "mcpServerStatus/list", result: { data: [{ name: "b" }], nextCursor: null } },
    ]);
    const mcp = world.codex.mcp;
    expect(await rejection(mcp.login("nope"))).toMatchObject({ code: "auth_failed", cause: { code: "rpc" } });
    const names: string[] = [];
    for await (const { name } of mcp.servers({ limit: 1 })) names.push(name);
    expect(names).toEqual(["a", "b"]);
  },
  FAKE,
);
