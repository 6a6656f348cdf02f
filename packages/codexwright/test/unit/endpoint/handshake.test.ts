import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { memoryPair } from "codexwright/rpc";
import { Endpoint, type EndpointOptions } from "codexwright/server";
import { verifies } from "@codexwright/test-support/verifies";
import { RawClient, rawClient } from "./raw-client.ts";

function endpoint(options: Partial<EndpointOptions> = {}): Endpoint {
  return new Endpoint({
    handlers: { "thread/loaded/list": () => ({ data: [], nextCursor: null }) },
    ...options,
  });
}

verifies("endpoint.handshake", "answers initialize with the four fields of the real server", async () => {
  await using server = endpoint({
    info: { codexHome: "/home/x/.codex", platformOs: "macos" },
    userAgent: { os: "Debian 12.0.0", arch: "x86_64" },
  });
  const client = new RawClient(server);
  expect((await client.hello({ name: "me", version: "1.2" })).result).toEqual({
    userAgent: "me/0.166.0 (Debian 12.0.0; x86_64) unknown (me; 1.2)",
    codexHome: "/home/x/.codex",
    platformFamily: "unix",
    platformOs: "macos",
  });
  expect(Object.keys(client.messages[0] ?? {})).toEqual(["id", "result"]);
  expect(client.connection.clientInfo).toEqual({ name: "me", version: "1.2" });
});

verifies("endpoint.handshake", "uses the name of the first client in all user agents", async () => {
  await using server = endpoint();
  const agentOf = async (name: string): Promise<string> => {
    const { result } = await new RawClient(server).hello({ name, version: "1" });
    return (result as { userAgent: string }).userAgent;
  };
  expect(await agentOf("codex_app_server_daemon")).toContain("codex_cli_rs/0.166.0 ");
  expect(await agentOf("first")).toMatch(/^first\/0.166.0 .* \(first; 1\)$/);
  expect(await agentOf("second")).toMatch(/^first\/0.166.0 .* \(second; 1\)$/);
});

verifies("endpoint.handshake", "rejects requests before initialize, and a second initialize", async () => {
  await using server = endpoint();
  const client = new RawClient(server);
  expect((await client.ask("thread/loaded/list", {})).error).toEqual({
    code: -32600,
    message: "Not initialized",
  });
  await client.hello();
  // The server does not wait for `initialized`.
  expect((await client.ask("thread/loaded/list", {})).result).toEqual({ data: [], nextCursor: null });
  expect((await client.hello()).error).toEqual({ code: -32600, message: "Already initialized" });
});

verifies("endpoint.handshake", "reports unreadable requests before the missing handshake", async () => {
  await using server = endpoint();
  const client = new RawClient(server);
  expect((await client.ask("nope", {})).error?.message).toBe(
    "Invalid request: unknown variant `nope`, expected one of `initialize`, `thread/loaded/list`",
  );
  expect((await client.ask("thread/loaded/list")).error?.message).toBe(
    "Invalid request: missing field `params`",
  );
});

verifies("endpoint.handshake", "rejects an invalid client name and lets the client try again", async () => {
  await using server = endpoint();
  const client = new RawClient(server);
  expect((await client.hello({ name: "two\nlines" })).error).toEqual({
    code: -32600,
    message: "Invalid clientInfo.name: 'two\nlines'. Must be a valid HTTP header value.",
  });
  expect((await client.hello({ name: "ünïcode" })).result).toBeDefined();
});

verifies("endpoint.handshake", "runs onInitialized after the answer to initialize", async () => {
  await using server = endpoint({
    onInitialized: (connection) => connection.notify("configWarning", { summary: "careful", details: null }),
  });
  const client = await rawClient(server);
  expect(client.messages.map(({ id, method }) => id ?? method)).toEqual([1, "configWarning"]);
});

verifies("endpoint.handshake", "answers initialize with only the fields of an old version", async () => {
  await using server = endpoint({ version: "0.98.0", clock: () => 1 });
  const client = new RawClient(server);
  expect(Object.keys((await client.hello()).result as object)).toEqual(["userAgent"]);
  server.broadcast("skills/changed", {});
  expect(await client.told("skills/changed")).toEqual({ method: "skills/changed", params: {} });
});

verifies("endpoint.handshake", "lets the public client connect and read the supported methods", async () => {
  await using server = endpoint();
  const [ours, theirs] = memoryPair();
  server.accept(theirs);
  await using codex = await CodexClient.connect({ transport: () => ours, clientName: "me" });
  expect(codex.server.version).toBe("0.166.0");
  expect(codex.supports("thread/loaded/list")).toBe(true);
  expect(codex.supports("turn/start")).toBe(false);
});
