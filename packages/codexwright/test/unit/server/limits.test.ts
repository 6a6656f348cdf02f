import { Server } from "node:http";
import { expect } from "vitest";
import { listen, type ListenOptions } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read, type EchoConnection, type Reader } from "@codexwright/test-support/echo";
import { knock, UPGRADE } from "@codexwright/test-support/raw-http";
import { tcpProxy } from "@codexwright/test-support/tcp-proxy";

/** A busy machine takes its time. */
const SLOW = { timeoutMs: 30_000 };

const never = new AbortController().signal;

/** A server with a client that behaves, which must not notice anything, and a way for one that does not. */
async function world(options: ListenOptions = {}) {
  const endpoint = echo();
  const listener = await listen(endpoint, "ws://127.0.0.1:0", options);
  const good = read(await websocket(listener.url, { heartbeatMs: 0 })(never));
  await until(() => endpoint.connections.length === 1);
  return {
    listener,
    good,
    /** A client that speaks in bytes, and the server's end of it. */
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

/** The client beside is served, in order and without a gap. */
async function isWell(good: Reader, text = "well"): Promise<void> {
  await good.transport.send(text);
  expect(await good.next()).toBe(text);
}

/** A frame of a client's, with a mask of zeros. */
function frame(opcode: number, length: number, payload: Uint8Array = new Uint8Array(length)): Buffer {
  const head = Buffer.alloc(14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

verifies(
  "server.limits",
  "an oversized message ends its client's connection with 1009, and nobody else's",
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
  "a frame that says it is larger than allowed is refused before it has come",
  async () => {
    await using place = await world();
    const { socket, server } = await place.raw();
    // 1 TiB by its header, without a byte of it.
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
  "frames that break the protocol end their connection alone",
  async () => {
    await using place = await world();
    const bad: readonly [string, Buffer][] = [
      ["no mask", Buffer.from([0x81, 0x02, 0x41, 0x42])],
      ["no UTF-8", frame(1, 2, Buffer.from([0xff, 0xfe]))],
      ["reserved bits", Buffer.from([0xf1, 0x80, 0, 0, 0, 0])],
      ["an unknown opcode", Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
      ["a continuation of nothing", Buffer.from([0x80, 0x80, 0, 0, 0, 0])],
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
  "a binary frame is a bad line, and the connection goes on",
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
  "a client that does not read is cut off when too many bytes wait for it",
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
  "a client that does not read is cut off when too many messages wait for it",
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
  "a client that pings and does not read the answers is cut off",
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
  "a burst is no reason to cut off a client that reads, nor is one large message",
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
  "a client that floods is served in its turn with the others",
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
  "a client that is gone without a word is noticed by the heartbeat",
  async () => {
    await using place = await world({ heartbeatMs: 300 });
    await using proxy = await tcpProxy(place.listener.url);
    const transport = await websocket(proxy.url, { heartbeatMs: 0 })(never);
    const client = read(transport);
    await client.transport.send("here");
    expect(await client.next()).toBe("here");
    const raw = await place.raw();
    proxy.freeze();
    // It reads nothing, so it answers nothing.
    expect((await raw.server.closed).message).toContain("did not answer a ping");
    await isWell(place.good);
    raw.socket.destroy();
    await transport.close();
  },
  SLOW,
);

verifies(
  "server.limits",
  "a client that cannot be accepted is not the end of the others",
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
  "closing does not wait for a client that does not answer",
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
