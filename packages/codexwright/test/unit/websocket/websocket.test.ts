import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { listen } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { Heartbeat } from "../../../src/websocket/heartbeat.ts";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read } from "@codexwright/test-support/echo";
import { tcpProxy } from "@codexwright/test-support/tcp-proxy";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 30_000 };

const never = new AbortController().signal;

async function pair(options?: Parameters<typeof websocket>[1]) {
  const endpoint = echo();
  const listener = await listen(endpoint, "ws://127.0.0.1:0");
  const proxy = await tcpProxy(listener.url);
  const transport = await websocket(proxy.url, options)(never);
  const client = read(transport);
  await until(() => endpoint.connections.length === 1);
  const [server] = endpoint.connections;
  if (!server) throw new Error("no client connected");
  return {
    client,
    server,
    proxy,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await proxy[Symbol.asyncDispose]();
      await listener.close();
    },
  };
}

verifies(
  "sockets.websocket",
  "a frame is a line, whatever text it contains",
  async () => {
    await using link = await pair();
    const texts = ["{}", "\u2028 \u2029 \u0085 \ud83d\ude00 é", '"\\n"', "\r", "x".repeat(300_000)];
    for (const text of texts) {
      await link.client.transport.send(text);
      expect(await link.client.next()).toBe(text);
    }
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "a line feed at the end of a frame is not part of the line",
  async () => {
    await using link = await pair();
    for (const text of ["one\n", "two\r\n", "\n", "", "three\n\n"]) await link.client.transport.send(text);
    await link.client.transport.send("end");
    await until(() => link.client.lines.includes("end"));
    expect(link.server.lines).toEqual(["one", "two", "three\n", "end"]);
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "splits a message that is too large for one frame of the real server",
  async () => {
    await using link = await pair();
    // Three bytes each, so one of the characters is split.
    const text = `${"\u20ac".repeat(6_000_000)}end`;
    await link.client.transport.send(text);
    expect((await link.client.next()) === text).toBe(true);
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "many messages in a row arrive in order",
  async () => {
    await using link = await pair();
    const count = 5_000;
    for (let each = 0; each < count; each++) void link.client.transport.send(`${each}`);
    await until(() => link.client.lines.length === count);
    expect(link.client.lines.every((line, place) => line === `${place}`)).toBe(true);
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "a closed transport reports its reason once and last, and sends nothing more",
  async () => {
    await using link = await pair();
    await link.client.transport.send("one");
    await link.client.next();
    await link.client.transport.close();
    await link.client.transport.close();
    expect((await link.client.closed).message).toBe("the connection was closed by this end");
    expect((await link.server.closed).message).toContain("closed by the other end");
    expect(await rejection(link.client.transport.send("two"))).toBeInstanceOf(Error);
    expect(await rejection(link.server.transport.send("two"))).toBeInstanceOf(Error);
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "closes both ends of a connection that breaks",
  async () => {
    await using link = await pair();
    link.proxy.cut();
    expect((await link.client.closed).message).toContain("closed by the other end");
    await link.server.closed;
    expect(await rejection(link.client.transport.send("two"))).toBeInstanceOf(Error);
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "drops a server that stops responding, and close does not wait for it",
  async () => {
    await using quiet = await pair({ heartbeatMs: 20 });
    quiet.proxy.freeze();
    expect((await quiet.client.closed).message).toContain("did not answer a ping");
    await using frozen = await pair({ heartbeatMs: 0 });
    frozen.proxy.freeze();
    await frozen.client.transport.close();
    expect((await frozen.client.closed).message).toBe("the connection was closed by this end");
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "keeps a peer that answers pings and drops one that does not",
  async () => {
    const dead = deferred();
    const answered: string[] = [];
    let answers = true;
    const heartbeat = new Heartbeat(
      1,
      () => {
        answered.push(answers ? "pong" : "silence");
        if (answers) heartbeat.heard();
        answers = answered.length < 20;
      },
      () => dead.resolve(),
    );
    heartbeat.start();
    await dead.promise;
    // The connection ends after two unanswered pings, not after one.
    expect(answered.slice(19)).toEqual(["pong", "silence", "silence"]);
    heartbeat.stop();
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "rejects a connect that is aborted before or during the connection",
  async () => {
    const reached = deferred();
    const silent = createServer((socket) => {
      socket.on("error", () => {}).resume();
      reached.resolve();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const factory = websocket(`ws://127.0.0.1:${port}`);
    const early = factory(AbortSignal.abort("no")) as Promise<unknown>;
    expect(await rejection(early)).toMatchObject({ code: "aborted", delivery: "notSent" });
    const controller = new AbortController();
    const late = rejection(factory(controller.signal) as Promise<unknown>);
    await reached.promise;
    controller.abort("enough");
    expect(await late).toMatchObject({ code: "aborted", cause: "enough" });
    const slow = new CodexClient({ transport: factory, startupTimeoutMs: 50 });
    expect(await rejection(slow.connect())).toMatchObject({ code: "startup_timeout" });
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  },
  SLOW,
);

verifies(
  "sockets.websocket",
  "opens nothing if a connect is aborted while its token is being requested",
  async () => {
    let connections = 0;
    const silent = createServer((socket) => {
      connections++;
      socket.on("error", () => {}).resume();
    });
    await once(silent.listen(0, "127.0.0.1"), "listening");
    try {
      const { port } = silent.address() as AddressInfo;
      const token = deferred<string>();
      const controller = new AbortController();
      const dialled = rejection(
        Promise.resolve(
          websocket(`ws://127.0.0.1:${port}`, { token: () => token.promise })(controller.signal),
        ),
      );
      controller.abort();
      token.resolve("abc");
      expect(await dialled).toMatchObject({ code: "aborted" });
      expect(connections).toBe(0);
    } finally {
      silent.close();
    }
  },
);
