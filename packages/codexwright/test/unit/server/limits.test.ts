import { Server } from "node:http";
import { expect } from "vitest";
import { listen, type ListenOptions } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read, type EchoConnection, type Reader } from "@codexwright/test-support/echo";
import { knock, UPGRADE } from "@codexwright/test-support/raw-http";
import { tcpProxy } from "@codexwright/test-support/tcp-proxy";

/** Long enough for a busy machine. */
const SLOW = { timeoutMs: 30_000 };

const never = new AbortController().signal;

/** Starts a server with a well-behaved client, which must not be affected, and connects a misbehaving one. */
async function world(options: ListenOptions = {}) {
  const endpoint = echo();
  const listener = await listen(endpoint, "ws://127.0.0.1:0", options);
  const good = read(await websocket(listener.url, { heartbeatMs: 0 })(never));
  await until(() => endpoint.connections.length === 1);
  return {
    listener,
    good,
    /** A client that sends raw bytes, and the server's end of its connection. */
    async raw() {
      const before = endpoint.connections.length;
      const { socket } = await knock(listener.url, { headers: UPGRADE });
      socket.on("error", () => {});
      await until(() => endpoint.connections.length > before);
      return { socket, server: endpoint.connections.at(-1) as EchoConnection };
    },
    async polite() {
      const before = endpoint.connections.length;
      const client = read(await websocket(listener.url)(never));
      await until(() => endpoint.connections.length > before);
      return { client, server: endpoint.connections.at(-1) as EchoConnection };
    },
    [Symbol.asyncDispose]: () => listener.close(),
  };
}

/** Checks that the well-behaved client is served in order and without a gap. */
async function isWell(good: Reader, text = "well"): Promise<void> {
  await good.transport.send(text);
  expect(await good.next()).toBe(text);
}

/** A client frame with a mask of zeros. */
function frame(opcode: number, length: number, payload: Uint8Array = new Uint8Array(length)): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

verifies(
  "server.limits",
  "an oversized message closes only its own connection, with 1009",
  async () => {
    await using place = await world({ maxMessageBytes: 1_000 });
    const { client, server } = await place.polite();
    await client.transport.send("x".repeat(1_000));
    expect((await client.next()).length).toBe(1_000);
    await client.transport.send("x".repeat(1_001));
    expect((await client.closed).message).toContain("1009");
    await server.closed;
    expect(server.lines.length).toBe(1);
    await isWell(place.good);
  },
  SLOW,
);

verifies(
  "server.limits",
  "rejects a frame by the size in its header, before its payload arrives",
  async () => {
    await using place = await world();
    const { socket, server } = await place.raw();
    // The header claims 1 TiB, and no payload follows.
    socket.write(frame(1, 2 ** 40, new Uint8Array(0)));
    await server.closed;
    expect(server.lines).toEqual([]);
    await isWell(place.good);
    socket.destroy();
  },
  SLOW,
);

verifies(
  "server.limits",
  "frames that violate the protocol close only their own connection",
  async () => {
    await using place = await world();
    const bad: readonly [string, Buffer][] = [
      ["unmasked", Buffer.from([0x81, 0x02, 0x41, 0x42])],
      ["invalid UTF-8", frame(1, 2, Buffer.from([0xff, 0xfe]))],
      ["reserved bits", Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
      ["an unknown opcode", Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
      ["a continuation without a first frame", Buffer.from([0x80, 0x80, 0, 0, 0, 0])],
    ];
    for (const [, bytes] of bad) {
      const { socket, server } = await place.raw();
      socket.write(bytes);
      await server.closed;
      expect(server.lines).toEqual([]);
      socket.destroy();
    }
    await isWell(place.good);
  },
  SLOW,
);

verifies(
  "server.limits",
  "a binary frame is reported as a bad line, and the connection continues",
  async () => {
    await using place = await world();
    const { socket, server } = await place.raw();
    socket.write(frame(2, 5));
    socket.write(frame(1, 4, Buffer.from("true")));
    await until(() => server.lines.length === 2);
    expect(server.lines).toEqual(["<binary frame of 5 bytes>", "true"]);
    socket.destroy();
    await server.closed;
  },
  SLOW,
);

verifies(
  "server.limits",
  "disconnects a client that does not read, once too many bytes wait for it",
  async () => {
    await using place = await world({ maxQueuedBytes: 1_000_000 });
    const { socket, server } = await place.raw();
    socket.pause();
    const chunk = "x".repeat(100_000);
    const over = server.closed.then(() => true);
    const turned = (): Promise<boolean> => new Promise((resolve) => setImmediate(() => resolve(false)));
    while (!(await Promise.race([over, turned()]))) server.transport.send(chunk).catch(() => {});
    expect((await server.closed).message).toContain("does not read");
    await isWell(place.good);
    socket.destroy();
  },
  SLOW,
);

verifies(
  "server.limits",
  "disconnects a client that does not read, once too many messages wait for it",
  async () => {
    await using place = await world({ maxQueuedMessages: 10 });
    const { socket, server } = await place.raw();
    socket.pause();
    for (let sent = 0; sent < 200; sent++) server.transport.send("x".repeat(100_000)).catch(() => {});
    await isWell(place.good, "meanwhile");
    expect((await server.closed).message).toContain("does not read");
    await isWell(place.good);
    socket.destroy();
  },
  SLOW,
);

verifies(
  "server.limits",
  "disconnects a client that pings and does not read the answers",
  async () => {
    await using place = await world({ maxQueuedBytes: 1_000_000 });
    const { socket, server } = await place.raw();
    socket.pause();
    const ping = Buffer.alloc(6 + 125);
    ping.set([0x89, 0x80 | 125]);
    const pings = Buffer.concat(Array.from({ length: 1_000 }, () => ping));
    const flood = (error?: Error | null): void => {
      if (!error && !socket.destroyed) socket.write(pings, flood);
    };
    flood();
    expect((await server.closed).message).toContain("does not read");
    await isWell(place.good);
    socket.destroy();
  },
  SLOW,
);

verifies(
  "server.limits",
  "neither a burst nor one large message disconnects a client that reads",
  async () => {
    await using place = await world({ maxQueuedMessages: 10, maxQueuedBytes: 1_000_000 });
    const { client, server } = await place.polite();
    for (let sent = 0; sent < 2_000; sent++) server.transport.send(`${sent}`).catch(() => {});
    await until(() => client.lines.length === 2_000);
    server.transport.send("x".repeat(5_000_000)).catch(() => {});
    await until(() => client.lines.length === 2_001);
    expect(client.lines.at(-1)?.length).toBe(5_000_000);
    await isWell(place.good);
  },
  SLOW,
);

verifies(
  "server.limits",
  "serves a flooding client in turn with the others",
  async () => {
    await using place = await world();
    const { socket, server } = await place.raw();
    const burst = Buffer.concat(Array.from({ length: 1_000 }, () => frame(1, 2, Buffer.from("{}"))));
    let flooding = true;
    const flood = (): void => {
      if (flooding) socket.write(burst, flood);
    };
    flood();
    socket.resume();
    for (let each = 0; each < 5; each++) await isWell(place.good, `${each}`);
    expect(server.lines.length).toBeGreaterThan(0);
    flooding = false;
    socket.destroy();
    await server.closed;
  },
  SLOW,
);

verifies(
  "server.limits",
  "the heartbeat detects a client that disappeared without closing",
  async () => {
    await using place = await world({ heartbeatMs: 300 });
    await using proxy = await tcpProxy(place.listener.url);
    const transport = await websocket(proxy.url, { heartbeatMs: 0 })(never);
    const client = read(transport);
    await client.transport.send("here");
    expect(await client.next()).toBe("here");
    const raw = await place.raw();
    proxy.freeze();
    // The client reads nothing, so it answers no pings.
    expect((await raw.server.closed).message).toContain("did not answer a ping");
    await isWell(place.good);
    raw.socket.destroy();
    await transport.close();
  },
  SLOW,
);

verifies(
  "server.limits",
  "a client that cannot be accepted does not affect the others",
  async () => {
    const made: Server[] = [];
    // oxlint-disable-next-line typescript/unbound-method -- it is put back where it was taken from
    const { listen: begin } = Server.prototype;
    Server.prototype.listen = function (this: Server, ...args: never[]) {
      made.push(this);
      return (begin as (...all: never[]) => Server).apply(this, args);
    } as typeof begin;
    await using place = await world().finally(() => Object.assign(Server.prototype, { listen: begin }));
    for (const server of made) server.emit("error", new Error("accept EMFILE"));
    expect(made).toHaveLength(1);
    await isWell(place.good);
  },
  SLOW,
);

verifies(
  "server.limits",
  "close does not wait for a client that does not answer",
  async () => {
    const place = await world();
    const { socket } = await place.raw();
    socket.pause();
    await place.listener.close();
    socket.destroy();
    expect((await place.good.closed).message).toContain("closed by the other end");
  },
  SLOW,
);
