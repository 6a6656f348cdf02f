import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { websocket } from "codexwright/websocket";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile } from "./hostile.ts";

const TOKEN = "a-token-that-nobody-may-see";

verifies("security.s10", "removes a key that a server quotes from the error", async () => {
  const key = "sk-proj-0123456789abcdef";
  await using server = await hostile({}, ({ params }) => {
    const quoted = JSON.stringify({ said: JSON.stringify(params) });
    return `"error":{"code":-32600,"message":${JSON.stringify(`bad key ${key}`)},"data":${quoted}}`;
  });
  const error = await rejection(server.codex.login.apiKey(key));
  expect(error).toMatchObject({ code: "auth_failed" });
  expect(everything(error)).not.toContain(key);
  const tokens = { accessToken: "eyJhbGciOi.access.token", chatgptAccountId: "account-1" };
  const refused = await rejection(server.codex.login.tokens(tokens));
  expect(everything(refused)).not.toContain(tokens.accessToken);
});

/** Returns everything that is visible of an error. */
function everything(error: unknown): string {
  const { message, stack, cause, ...rest } = error as Error;
  return [message, stack, JSON.stringify(rest), cause === undefined ? "" : everything(cause)].join("\n");
}

verifies("security.s11", "sends a token only to this machine or over TLS, and never in a URL", () => {
  for (const host of [
    "example.com",
    "10.0.0.1",
    "0.0.0.0",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "localhost.",
    "[::]",
    "[fe80::1]",
    "127.0.0.1@example.com",
    "foo.localhost",
    "169.254.169.254",
    "[::ffff:10.0.0.1]",
  ]) {
    expect(() => websocket(`ws://${host}:1/`, { token: TOKEN })).toThrow(/wss:|user or password/);
  }
  for (const url of [
    "ws://127.0.0.1:1",
    "ws://127.1:1",
    "ws://[::1]:1",
    "ws://localhost:1",
    "wss://example.com",
  ])
    expect(websocket(url, { token: TOKEN })).toBeTypeOf("function");
  expect(() => websocket(`wss://user:${TOKEN}@example.com`)).toThrow("use the option token");
});

verifies("security.s11", "does not follow a redirect, and the token is in no URL and no error", async () => {
  const seen: { readonly url: string | undefined; readonly authorization: string | undefined }[] = [];
  const server = createServer();
  server.on("upgrade", ({ url, headers }, socket) => {
    seen.push({ url, authorization: headers.authorization });
    socket.end(`HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/${TOKEN}\r\nContent-Length: 0\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/path`;
  const error = await rejection(CodexClient.connect({ transport: websocket(url, { token: TOKEN }) }));
  expect(error).toMatchObject({ code: "connection_closed" });
  expect(everything(error)).not.toContain(TOKEN);
  expect(seen).toEqual([{ url: "/path", authorization: `Bearer ${TOKEN}` }]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
