import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { WebSocketServer } from "ws";
import { Endpoint } from "codexwright/server";
import {
  Connection,
  memoryPair,
  type CloseReason,
  type Transport,
  type TransportSink,
} from "codexwright/rpc";
import { websocket } from "codexwright/websocket";
import { dialGlobal, type GlobalSocket } from "../../../src/websocket/dial-global.ts";
import { Outbox } from "../../../src/rpc/outbox.ts";
import { ProcessTransport } from "../../../src/transports/process.ts";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { settle } from "./hostile.ts";

/** The limits of a client, and of an endpoint for each client. */
const LIMIT = 256 * 1024 * 1024;
const ENDPOINT_LIMIT = 64 * 1024 * 1024;
const SLOW = { timeoutMs: 60_000 };

/** A transport whose other end reads nothing until the test releases it. */
class StuckChannel implements Transport {
  readonly sizes: number[] = [];
  readonly closed = deferred();
  isClosed = false;
  #sink: TransportSink | undefined;
  #waiting: (() => void)[] = [];

  open(sink: TransportSink): void {
    this.#sink = sink;
  }

  send(text: string): Promise<void> {
    this.sizes.push(text.length);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.closed.resolve();
  }

  say(line: string): void {
    this.#sink?.line(line);
  }

  /** The other end reads everything that waits. */
  async read(): Promise<void> {
    for (const taken of this.#waiting.splice(0)) taken();
    await settle();
  }

  get waiting(): number {
    return this.#waiting.length;
  }
}

function connect(transport: Transport, answer: () => unknown = () => ({ decision: "decline" })) {
  const closed = deferred<CloseReason>();
  const connection = new Connection({
    transport,
    maxInFlight: 64,
    handlers: {
      notification: () => {},
      request: answer,
      badLine: () => {},
      closed: (reason) => closed.resolve(reason),
    },
  });
  return { connection, closed: closed.promise };
}

/** Sends at most `most` requests until the connection is closed. Returns their number. */
async function ask(channel: StuckChannel, most: number, from = 0, together = 1_000): Promise<number> {
  let asked = 0;
  while (asked < most && !channel.isClosed) {
    for (let each = 0; each < together && asked < most; each++, asked++) {
      channel.say(`{"method":"ask","id":${from + asked},"params":{}}`);
    }
    await settle();
  }
  return asked;
}

verifies(
  "security.s48",
  "disconnects a server that sends requests and never reads, whatever the size of the answers",
  async () => {
    for (const size of [10_000, 1_000_000]) {
      const channel = new StuckChannel();
      const { closed } = connect(channel, () => ({ text: "x".repeat(size) }));
      await ask(channel, 400_000, 0, size > 100_000 ? 8 : 100);
      expect((await closed).message).toContain("does not read");
      // Each message counts as its text and 1 KiB of overhead. The last one may have any size.
      const total = channel.sizes.reduce((sum, length) => sum + length + 1_024, 0);
      expect(total).toBeGreaterThan(LIMIT);
      expect(total - (channel.sizes.at(-1) ?? 0) - 1_024).toBeLessThanOrEqual(LIMIT);
    }
  },
  SLOW,
);

verifies(
  "security.s48",
  "counts rejections of requests beyond the limit too",
  async () => {
    const channel = new StuckChannel();
    const { closed } = connect(channel, () => new Promise(() => {}));
    await ask(channel, 400_000);
    expect((await closed).message).toContain("does not read");
    expect(channel.sizes.length * 1_024).toBeLessThanOrEqual(LIMIT + 1_024);
  },
  SLOW,
);

verifies(
  "security.s48",
  "stays connected to a server that stops reading before it reaches the limit and reads again later",
  async () => {
    const channel = new StuckChannel();
    const { connection } = connect(channel);
    for (let round = 0; round < 2; round++) {
      await ask(channel, 50_000, round * 50_000);
      expect(channel.isClosed).toBe(false);
      expect(channel.waiting).toBe(50_000);
      await channel.read();
    }
    expect(channel.sizes).toHaveLength(100_000);
    await connection.close();
  },
  SLOW,
);

verifies("security.s48", "sends an answer of any size if the server has read the earlier ones", async () => {
  const channel = new StuckChannel();
  const full: CloseReason[] = [];
  const outbox = new Outbox(channel, { broke: () => {}, full: (reason) => full.push(reason) }, 1_000);
  for (let round = 0; round < 3; round++) {
    outbox.send("x".repeat(1_000_000));
    await channel.read();
  }
  expect(full).toEqual([]);
  outbox.send("x".repeat(1_000_000));
  outbox.send("x");
  expect(full).toHaveLength(1);
  expect(channel.sizes).toHaveLength(4);
});

verifies(
  "security.s48",
  "a server that reads receives large answers to many requests that are answered at the same time",
  async () => {
    const [ours, theirs] = memoryPair();
    const text = "x".repeat(2 * 1024 * 1024);
    const { connection } = connect(ours, () => ({ text }));
    const all = deferred();
    let read = 0;
    theirs.open({
      line: () => {
        read++;
        if (read === 64) all.resolve();
      },
      closed: () => {},
    });
    for (let id = 0; id < 64; id++) void theirs.send(`{"method":"ask","id":${id}}`);
    await all.promise;
    expect(connection.closeReason).toBe(undefined);
    await connection.close();
  },
  SLOW,
);

verifies("security.s48", "messages of the caller do not count against the server", async () => {
  const channel = new StuckChannel();
  const { connection } = connect(channel);
  const upload = "x".repeat(4 * 1024 * 1024);
  for (let each = 0; each < 17; each++) connection.request("fs/writeFile", { upload }).catch(() => {});
  await ask(channel, 10);
  expect(channel.isClosed).toBe(false);
  expect(channel.sizes).toHaveLength(27);
  await connection.close();
});

verifies(
  "security.s48",
  "disconnects a server process that sends requests and never reads",
  async () => {
    const child = spawn("seq", ["-f", '{"method":"ask","id":%.0f}', "1", "100000000"], { detached: true });
    const transport = new ProcessTransport(child);
    const { closed, connection } = connect(transport);
    expect((await closed).message).toContain("does not read");
    await connection.close();
    expect(child.exitCode ?? child.signalCode).not.toBe(null);
  },
  SLOW,
);

verifies(
  "security.s48",
  "disconnects a websocket server that sends requests and never reads",
  async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(server, "listening");
    server.on("connection", (socket) => {
      (socket as unknown as { _socket?: { pause(): void } })._socket?.pause();
      socket.pause();
      let id = 0;
      const flood = (): void => {
        if (socket.readyState !== 1) return;
        for (let each = 0; each < 500; each++) socket.send(`{"method":"ask","id":${id++}}`);
        setImmediate(flood);
      };
      flood();
    });
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = await websocket(url, { heartbeatMs: 0 })(new AbortController().signal);
    const { closed, connection } = connect(transport, () => ({ text: "x".repeat(20_000) }));
    expect((await closed).message).toContain("does not read");
    for (const socket of server.clients) socket.terminate();
    await connection.close();
    await new Promise((resolve) => server.close(resolve));
  },
  SLOW,
);

verifies("security.s48", "disconnects the other end of a memory pair that is never opened", async () => {
  const [ours, theirs] = memoryPair();
  const { closed } = connect(ours, () => ({ text: "x".repeat(100_000) }));
  for (let id = 0; id < 4_000; id++) void theirs.send(`{"method":"ask","id":${id}}`);
  expect((await closed).message).toContain("does not read");
});

/** A WebSocket like in browsers whose other end does not read. */
class BuiltInSocket extends EventTarget {
  readyState = 1;
  bufferedAmount = 0;
  binaryType = "";
  sent = 0;

  send(text: string): void {
    this.sent++;
    this.bufferedAmount += text.length;
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code: 1000, reason: "" }));
  }

  say(data: string): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

verifies(
  "security.s48",
  "disconnects a server behind a built-in websocket unless it reads again",
  async () => {
    const socket = new BuiltInSocket();
    const dialing = dialGlobal(
      () => socket as unknown as GlobalSocket,
      { peer: "the server", heartbeatMs: 0, maxLineBytes: 1_000_000 },
      new AbortController().signal,
    );
    socket.dispatchEvent(new Event("open"));
    const transport = await dialing;
    const { closed } = connect(transport, () => ({ text: "x".repeat(100_000) }));
    let id = 0;
    const flood = async (times: number): Promise<void> => {
      for (const end = id + times; id < end; id++) {
        socket.say(`{"method":"ask","id":${id}}`);
        if (id % 50 === 0) await settle();
      }
      await settle();
    };
    for (let round = 0; round < 3; round++) {
      await flood(500);
      expect(socket.readyState).toBe(1);
      const taken = transport.send("{}");
      socket.bufferedAmount = 0;
      await taken;
    }
    await flood(3_000);
    expect((await closed).message).toContain("does not read");
    expect(socket.sent).toBeLessThan(1_500 + 2_800);
  },
  SLOW,
);

const HELLO = `{"method":"initialize","id":0,"params":{"clientInfo":{"name":"t","title":null,"version":"1"}}}`;

verifies(
  "security.s48",
  "disconnects a client that does not read and serves the others",
  async () => {
    const text = "x".repeat(10_000);
    const endpoint = new Endpoint({
      handlers: { "model/list": () => ({ data: [], nextCursor: text }) },
    });
    const ways: Readonly<Record<string, (channel: StuckChannel, each: number) => void>> = {
      answers: (channel, each) => channel.say(`{"method":"model/list","id":${each},"params":{}}`),
      refusals: (channel, each) => channel.say(`{"method":"no/such","id":${each},"params":{}}`),
      notifications: () => endpoint.broadcast("warning", { message: text } as never),
      requests: () => void endpoint.request("currentTime/read", { text } as never).catch(() => {}),
    };
    for (const way of Object.values(ways)) {
      const channel = new StuckChannel();
      const [client, server] = memoryPair();
      let heard = 0;
      client.open({ line: () => void heard++, closed: () => {} });
      endpoint.accept(server);
      const stuck = endpoint.accept(channel);
      channel.say(HELLO);
      await client.send(HELLO);
      await settle();
      for (let each = 0; each < 200_000 && !channel.isClosed; each++) {
        way(channel, each);
        if (each % 100 === 0) await settle();
      }
      expect(channel.isClosed).toBe(true);
      expect(stuck.signal.aborted).toBe(true);
      const total = channel.sizes.reduce((sum, length) => sum + length + 1_024, 0);
      expect(total).toBeLessThanOrEqual(ENDPOINT_LIMIT + 20_000);
      const before = heard;
      await client.send(`{"method":"model/list","id":1,"params":{}}`);
      await until(() => heard > before);
      await client.close();
    }
    await endpoint[Symbol.asyncDispose]();
  },
  SLOW,
);
