import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { memoryPair } from "codexwright/rpc";
import { Endpoint, listen, type ListenOptions } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { listenOnFile } from "../../../src/server/socket-file.ts";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read } from "@codexwright/test-support/echo";
import { signed } from "@codexwright/test-support/jwt";
import { ask, UPGRADE } from "@codexwright/test-support/raw-http";

const never = new AbortController().signal;
const TOKEN = "the-one-token-of-this-test";
const KEY = "a secret that is at least 32 bytes long";

async function listening(options: ListenOptions = {}) {
  const endpoint = echo();
  const listener = await listen(endpoint, "ws://127.0.0.1:0", options);
  return {
    url: listener.url,
    endpoint,
    /** Returns the status of the answer to an upgrade request with these additional headers. */
    status: async (headers: readonly string[], target = "/"): Promise<number> =>
      (await ask(listener.url, { path: target, headers: [...UPGRADE, ...headers] })).status,
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

verifies("security.s33", "accepts only the complete token", async () => {
  const sha256 = createHash("sha256").update(TOKEN).digest("hex");
  for (const capabilityToken of [{ token: TOKEN }, { sha256 }]) {
    await using server = await listening({ auth: { capabilityToken } });
    for (const bad of [
      "",
      "x",
      TOKEN.slice(0, -1),
      `${TOKEN}x`,
      TOKEN.toUpperCase(),
      sha256,
      `${TOKEN} ${TOKEN}`,
    ])
      expect(await server.status([`Authorization: Bearer ${bad}`])).toBe(401);
    for (const headers of [
      [],
      [`Authorization: Basic ${TOKEN}`],
      [`Authorization: ${TOKEN}`],
      [`Cookie: token=${TOKEN}`],
    ])
      expect(await server.status(headers)).toBe(401);
    // A client that is not a browser has no reason to send its token as a subprotocol.
    expect(await server.status([`Sec-WebSocket-Protocol: codexwright.bearer.${TOKEN}`])).toBe(401);
    expect(server.endpoint.connections).toHaveLength(0);
    expect(await server.status([`Authorization: Bearer ${TOKEN}`])).toBe(101);
  }
});

verifies("security.s33", "refuses a signed token with another algorithm, key, time or shape", async () => {
  const auth: NonNullable<ListenOptions["auth"]> = {
    signedBearer: { secret: KEY, issuer: "us", audience: "codex", maxClockSkewSeconds: 0 },
  };
  await using server = await listening({ auth });
  const now = Math.floor(Date.now() / 1000);
  const claims = { exp: now + 60, iss: "us", aud: "codex" };
  const good = signed(claims, KEY);
  const [head = "", body = "", signature = ""] = good.split(".");
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const bad = [
    `${part({ alg: "none" })}.${body}.`,
    `${part({ alg: "none" })}.${body}.${signature}`,
    `${head}.${body}.`,
    ...["None", "HS384", "HS512", "RS256", "ES256", ""].map((alg) => signed(claims, KEY, { alg })),
    signed(claims, KEY, { alg: "HS256", crit: ["exp"] }),
    signed(claims, `${KEY}!`),
    `${head}.${part({ ...claims, exp: now + 600 })}.${signature}`,
    ...[
      { exp: now - 1 },
      { exp: undefined },
      { exp: "soon" },
      { nbf: now + 60 },
      { iss: "them" },
      { aud: ["other"] },
    ].map((change) => signed({ ...claims, ...change }, KEY)),
    `${good}.`,
    `${good}=`,
    ` .${good}`,
    "..",
    "a.b",
    good.slice(1),
  ];
  for (const token of bad) expect(await server.status([`Authorization: Bearer ${token}`])).toBe(401);
  expect(server.endpoint.connections).toHaveLength(0);
  expect(await server.status([`Authorization: Bearer ${good}`])).toBe(101);
});

verifies(
  "security.s34",
  "rejects listeners for other machines without authentication, and secrets that are too weak",
  async () => {
    for (const host of ["0.0.0.0", "[::]", "192.168.0.1", "example.com", "localhost.example.com"])
      expect(await rejection(listen(echo(), `ws://${host}:0`))).toMatchObject({ code: "invalid_argument" });
    for (const auth of [
      ...["", "  ", undefined as unknown as string].map((token) => ({ capabilityToken: { token } })),
      { capabilityToken: { sha256: "abc" } },
      { signedBearer: { secret: "too short" } },
    ])
      expect(await rejection(listen(echo(), "ws://0.0.0.0:0", { auth }))).toMatchObject({
        code: "invalid_argument",
      });
  },
);

verifies(
  "security.s35",
  "rejects browser origins of other sites, also under a name that resolves to this machine",
  async () => {
    await using server = await listening({
      auth: { capabilityToken: { token: TOKEN } },
      allowedOrigins: ["https://app.example.com"],
    });
    const bearer = `Authorization: Bearer ${TOKEN}`;
    const port = new URL(server.url).port;
    for (const origin of [
      "https://evil.example",
      "http://app.example.com",
      "https://app.example.com:444",
      "https://app.example.com.",
      "https://app.example.com.evil.example",
      "https://APP.example.com",
      "null",
      "",
      "file://",
      `http://127.0.0.1:${port}`,
      "https://app.example.com, https://evil.example",
    ])
      expect(await server.status([`Origin: ${origin}`, bearer])).toBe(403);
    // A site whose own name resolves to this machine: its origin is that name.
    expect(
      await server.status([`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`, bearer]),
    ).not.toBe(101);
    expect(
      await server.status(["Origin: https://evil.example", "Origin: https://app.example.com", bearer]),
    ).toBe(403);
    const protocol = `Sec-WebSocket-Protocol: codexwright, codexwright.bearer.${TOKEN}`;
    expect(await server.status(["Origin: https://app.example.com", protocol])).toBe(101);
    expect(await server.status([], `/?token=${TOKEN}&access_token=${TOKEN}`)).toBe(401);
    await using open = await listening();
    expect(await open.status([`Origin: http://127.0.0.1:${port}`])).toBe(403);
  },
);

/**
 * Returns everything that a server answers to these bytes until it closes the connection, or until its first answer.
 */
function answersTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("close", () => resolve(text));
    socket.on("error", () => resolve(text));
    socket.end(bytes, "latin1");
  });
}

verifies("security.s36", "rejects ambiguous requests and reads nothing after them", async () => {
  await using server = await listening({ auth: { capabilityToken: { token: TOKEN } } });
  const good = ["GET / HTTP/1.1", "Host: x", ...UPGRADE, `Authorization: Bearer ${TOKEN}`, "", ""].join(
    "\r\n",
  );
  const smuggled = "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const head of [
    "POST /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
    "GET /readyz HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n",
    `GET /readyz HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
    `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ]) {
    const answers = await answersTo(server.url, head + smuggled + good);
    expect(answers).not.toMatch(/HTTP\/1.1 (200|101)/);
  }
  // A rejected upgrade ends its connection, so the bytes after it are not a request.
  const refused = ["GET / HTTP/1.1", "Host: x", ...UPGRADE, "Authorization: Bearer wrong", "", ""].join(
    "\r\n",
  );
  expect((await answersTo(server.url, refused + smuggled + good)).match(/HTTP\/1.1 \d+/g)).toEqual([
    "HTTP/1.1 401",
  ]);
  expect(server.endpoint.connections).toHaveLength(0);
});

verifies(
  "security.s37",
  "disconnects only the client that sends a message that is too long or does not read",
  async () => {
    await using server = await listening({ maxMessageBytes: 10_000, maxQueuedBytes: 1_000_000 });
    const good = read(await websocket(server.url)(never));
    const long = read(await websocket(server.url)(never));
    await long.transport.send("x".repeat(10_001));
    expect((await long.closed).message).toContain("1009");
    read(await websocket(server.url)(never));
    await until(() => server.endpoint.connections.length === 3);
    const slow = server.endpoint.connections[2];
    // The client's event loop is blocked here, so the client cannot read lines that are sent synchronously.
    const line = "y".repeat(500_000);
    for (let each = 0; each < 60; each++) slow?.transport.send(line).catch(() => {});
    expect((await slow?.closed)?.message).toContain("it does not read");
    await good.transport.send("well");
    expect(await good.next()).toBe("well");
  },
);

verifies(
  "security.s38",
  "hostile messages of one client are answered or ignored, and another client is served",
  async () => {
    const errors: unknown[] = [];
    await using endpoint = new Endpoint({
      handlers: { "thread/list": () => ({ data: [], nextCursor: null }) as never },
      onError: (error) => errors.push(error),
    });
    const client = (): ReturnType<typeof read> => {
      const [ours, theirs] = memoryPair();
      endpoint.accept(theirs);
      return read(ours);
    };
    const hello = { method: "initialize", params: { clientInfo: { name: "c", version: "1" } } };
    const [bad, good] = [client(), client()];
    for (const each of [bad, good]) {
      await each.transport.send(JSON.stringify({ id: 0, ...hello }));
      await each.next();
      await each.transport.send(JSON.stringify({ method: "initialized" }));
    }
    const deep = `${'{"a":['.repeat(50_000)}1${"]}".repeat(50_000)}`;
    const values = [
      "null",
      "1",
      '"x"',
      "[]",
      "{}",
      '{"__proto__":{"polluted":1}}',
      '{"toString":null}',
      '{"limit":1e999}',
      deep,
    ];
    const lines = [
      ...values.map((params, id) => `{"id":${id + 1},"method":"thread/list","params":${params}}`),
      ...values.map((id) => `{"id":${id},"method":"thread/list","params":{}}`),
      ...values.map((result) => `{"id":12345,"result":${result}}`),
      ...values.map((error) => `{"id":"0","error":${error}}`),
      '{"id":1',
      "\u0000",
      "[]",
      '{"method":"__proto__","id":900}',
      '{"method":"toString","id":901,"params":{}}',
      `{"id":${"9".repeat(300)},"method":"thread/list","params":{}}`,
      `{"id":"${"i".repeat(100_000)}","method":"thread/list","params":{}}`,
      JSON.stringify({ id: 902, ...hello }),
    ];
    for (const line of lines) await bad.transport.send(line);
    await bad.transport.send('{"id":999,"method":"thread/list","params":{}}');
    while (!(await bad.next()).includes('"id":999'));
    await good.transport.send('{"id":5,"method":"thread/list","params":{}}');
    expect(await good.next()).toBe('{"id":5,"result":{"data":[],"nextCursor":null}}');
    expect(errors).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    for (const id of [1, 900, 901, 902])
      expect(bad.lines.filter((line) => JSON.parse(line).id === id)).not.toHaveLength(0);
  },
);

verifies(
  "security.s39",
  "protects a socket file and existing files at its path from other users",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-sock-"));
    const before = process.umask(0);
    try {
      const file = path.join(folder, "s");
      const opening = listen(echo(), `unix://${file}`);
      const listener = await opening;
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(process.umask(0)).toBe(0);
      await listener.close();
    } finally {
      process.umask(before);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

verifies(
  "security.s39",
  "the socket file belongs to its owner before any other process can access it",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "codexwright-sock-"));
    const before = process.umask(0);
    const server = createServer();
    try {
      const modes: number[] = [];
      const bind = server.listen.bind(server);
      server.listen = ((file: string) => {
        bind(file);
        modes.push(statSync(file).mode & 0o777);
        return server;
      }) as typeof server.listen;
      const remove = await listenOnFile(server, path.join(folder, "s"));
      expect(modes).toEqual([0o600]);
      await remove();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      process.umask(before);
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

verifies("security.s40", "does not reveal errors of handlers to clients", async () => {
  const errors: unknown[] = [];
  await using endpoint = new Endpoint({
    handlers: {
      "thread/list": () => {
        throw new Error(`a path, a query and ${TOKEN}`);
      },
    },
    onError: (error) => errors.push(error),
  });
  const [ours, theirs] = memoryPair();
  endpoint.accept(theirs);
  const client = read(ours);
  await client.transport.send(
    JSON.stringify({ id: 0, method: "initialize", params: { clientInfo: { name: "c", version: "1" } } }),
  );
  await client.next();
  await client.transport.send('{"id":1,"method":"thread/list","params":{}}');
  const answer = await client.next();
  expect(JSON.parse(answer)).toMatchObject({ id: 1, error: { code: -32603 } });
  expect(answer).not.toContain(TOKEN);
  expect(errors).toHaveLength(1);
});
