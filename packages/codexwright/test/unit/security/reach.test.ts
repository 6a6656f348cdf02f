import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { websocket } from "codexwright/websocket";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { hostile } from "./hostile.ts";

const SRC = path.resolve(import.meta.dirname, "../../../src");
const TOKEN = "a-token-that-nobody-may-see";

/** The sources of these layers, without their comments. */
function sources(...layers: string[]): [file: string, code: string][] {
  return layers.flatMap((layer) =>
    readdirSync(path.join(SRC, layer), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file): [string, string] => {
        const text = readFileSync(path.join(SRC, layer, file), "utf8");
        return [`${layer}/${file}`, text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")];
      }),
  );
}

const EVALUATION = /\beval\(|new Function\(|node:vm|\bexecSync?\(|shell:\s*true/;

verifies("security.s9", "the client's layers can reach nothing but the connection they are given", () => {
  const neutral = sources("rpc", "client", "agent", "protocol", "endpoint", "websocket", "redact");
  expect(neutral.length).toBeGreaterThan(200);
  const reaching = neutral.filter(([, code]) =>
    /from "node:|\bfetch\(|XMLHttpRequest|importScripts|(?<![#.\w])require\(/.test(code),
  );
  expect(reaching).toEqual([]);
  // What is imported at run time is named in our own code: parts of the library, and the optional packages.
  const imported = neutral.flatMap(([file, code]) =>
    [...code.matchAll(/\bimport\((?!"\.{1,2}\/[\w./-]+")([^)]*)\)/g)].map(([, what = ""]) => [
      file,
      what.trim(),
    ]),
  );
  expect(imported.map(([file]) => file)).toEqual(["rpc/optional-dependency.ts"]);
});

verifies("security.s9", "no code is evaluated and no shell is started anywhere in the library", () => {
  const all = sources(...readdirSync(SRC));
  expect(all.filter(([, code]) => EVALUATION.test(code)).map(([file]) => file)).toEqual([]);
});

verifies("security.s10", "a key that a server quotes is not in the error", async () => {
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

/** All that can be seen of an error. */
function everything(error: unknown): string {
  const { message, stack, cause, ...rest } = error as Error;
  return [message, stack, JSON.stringify(rest), cause === undefined ? "" : everything(cause)].join("\n");
}

verifies("security.s11", "a token goes to this machine or over TLS, and a URL with one is refused", () => {
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
  expect(() => websocket(`wss://user:${TOKEN}@example.com`)).toThrow("give the option token");
});

verifies("security.s11", "a redirect is not followed, and the token is in no URL and no error", async () => {
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
