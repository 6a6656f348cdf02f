import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect } from "vitest";
import { listen } from "codexwright/server";
import { websocket } from "codexwright/websocket";
import { until } from "@codexwright/test-support/events";
import { IS_BUN, onBun } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, read } from "@codexwright/test-support/echo";
import { UPGRADE } from "@codexwright/test-support/raw-http";

/** Long enough for a busy machine, but less than the 30 s that the package `ws` would wait. */
const SLOW = { timeoutMs: 25_000 };
const never = new AbortController().signal;
const OWN_SOCKET = "the client uses Bun's own socket, with other messages and limits";

/** A frame, masked with zeros for a client. The length in its header may differ from its payload. */
function frame(
  first: number,
  masked: boolean,
  payload: Uint8Array = new Uint8Array(0),
  claims?: number,
): Buffer {
  const length = claims ?? payload.length;
  const mask = masked ? 0x80 : 0;
  const head =
    length < 126
      ? Buffer.from([first, mask | length])
      : Buffer.concat([Buffer.from([first, mask | 127]), Buffer.alloc(8)]);
  if (length >= 126) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]);
}

const repeated = (count: number, bytes: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => bytes));

const PROTOCOL = "the other end broke the websocket protocol: ";
/** Messages of a peer, each with the reason for its rejection. */
const BAD: readonly (readonly [string, (masked: boolean) => Buffer, string | RegExp])[] = [
  [
    "a message that is too long",
    (masked) => frame(0x81, masked, undefined, 2 ** 40),
    /a message is longer than \d+ bytes/,
  ],
  ["invalid UTF-8", (masked) => frame(0x81, masked, Buffer.from([0xff, 0xfe])), "a message is not UTF-8"],
  [
    "endless fragments",
    (masked) =>
      Buffer.concat([
        frame(0x01, masked, Buffer.from("x")),
        repeated(20_000, frame(0x00, masked, Buffer.from("x"))),
      ]),
    "too many fragments",
  ],
  [
    "endless empty fragments",
    (masked) => Buffer.concat([frame(0x01, masked), repeated(20_000, frame(0x00, masked))]),
    "too many fragments",
  ],
  ["a wrong mask", (masked) => frame(0x81, !masked, Buffer.from("x")), PROTOCOL],
  ["reserved bits", (masked) => frame(0xf1, masked), PROTOCOL],
  ["an unknown opcode", (masked) => frame(0x83, masked), PROTOCOL],
  ["a continuation without a first frame", (masked) => frame(0x80, masked), PROTOCOL],
  ["a fragmented ping", (masked) => frame(0x09, masked), PROTOCOL],
  [
    "a close frame with an invalid code",
    (masked) => frame(0x88, masked, Buffer.from([0x00, 0x01])),
    PROTOCOL,
  ],
];

/** Resolves at the end of a socket, seen from a peer that keeps its own half open. */
const hungUp = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on("error", () => {});
    socket.on("end", resolve);
    socket.on("close", () => resolve());
    socket.resume();
  });

/** A client that sends no close frame. */
async function rudeClient(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write(`${["GET / HTTP/1.1", "Host: x", ...UPGRADE].join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  return socket;
}

/** A server that sends no close frame. */
async function rudeServer() {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", (head) => {
      const [, key = ""] = /^sec-websocket-key: (.*)\r$/im.exec(head.toString()) ?? [];
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      const lines = [
        "HTTP/1.1 101 X",
        "Upgrade: websocket",
        "Connection: Upgrade",
        `Sec-WebSocket-Accept: ${accept}`,
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe("a message that is rejected", () => {
  for (const [name, bytes, why] of BAD) {
    verifies(
      "security.s55",
      `${name} from a client: the server reports the reason immediately without waiting for the client`,
      async () => {
        const endpoint = echo();
        await using listener = await listen(endpoint, "ws://127.0.0.1:0", { heartbeatMs: 0 });
        const socket = await rudeClient(listener.url);
        await until(() => endpoint.connections.length === 1);
        const over = hungUp(socket);
        socket.write(bytes(true));
        const reason = await endpoint.connections[0]?.closed;
        if (!IS_BUN) {
          expect(reason?.message).toMatch("the connection to the client was closed by this end: ");
          expect(reason?.message).toMatch(why);
          expect(reason?.cause).toBeInstanceOf(Error);
        }
        await over;
        socket.destroy();
      },
      { ...SLOW, skip: why === "too many fragments" && onBun("Bun has no limit for fragments") },
    );

    verifies(
      "security.s55",
      `${name} from a server: the client reports the reason immediately without waiting for the server`,
      async () => {
        using server = await rudeServer();
        const client = read(await websocket(server.url, { heartbeatMs: 0 })(never));
        const [socket] = server.sockets;
        if (!socket) throw new Error("no client connected");
        const over = hungUp(socket);
        socket.write(bytes(false));
        const reason = await client.closed;
        expect(reason.message).toMatch("was closed by this end: ");
        expect(reason.message).toMatch(why);
        await over;
        await client.transport.close();
      },
      { ...SLOW, skip: onBun(OWN_SOCKET) },
    );
  }

  verifies(
    "security.s55",
    "rejects a message that arrives byte by byte after a bounded number of packets",
    async () => {
      const endpoint = echo();
      const limits = { heartbeatMs: 0, maxMessageBytes: 1_048_576 };
      await using listener = await listen(endpoint, "ws://127.0.0.1:0", limits);
      const socket = await rudeClient(listener.url);
      socket.setNoDelay(true);
      await until(() => endpoint.connections.length === 1);
      const over = hungUp(socket);
      const closed = endpoint.connections[0]?.closed.then(({ message }) => message);
      // Both ends get a turn in every turn of the event loop.
      const turned = (): Promise<undefined> =>
        new Promise((resolve) => setImmediate(() => resolve(undefined)));
      socket.write(frame(0x81, true, undefined, limits.maxMessageBytes));
      let sent = 0;
      let reason: string | undefined;
      while (reason === undefined && sent < limits.maxMessageBytes) {
        sent++;
        socket.write("x");
        reason = await Promise.race([closed, turned()]);
      }
      expect(reason).toContain("a message has too many fragments or packets");
      expect(sent).toBeLessThan(100_000);
      await over;
      socket.destroy();
    },
    { ...SLOW, skip: onBun("Bun has no limit for packets") },
  );

  verifies(
    "security.s55",
    "the sender of the message receives the reason too",
    async () => {
      const endpoint = echo();
      await using listener = await listen(endpoint, "ws://127.0.0.1:0", { maxMessageBytes: 1_000 });
      const client = read(await websocket(listener.url)(never));
      await client.transport.send("x".repeat(1_001));
      const { message } = await client.closed;
      expect(message).toContain("closed by the other end (1009");
      if (!IS_BUN) expect(message).toContain("1009 it refused a message that is too long");
      expect(endpoint.connections[0]?.lines).toEqual([]);
    },
    SLOW,
  );

  verifies(
    "security.s55",
    "closes the connection if a client sends a close frame but keeps the connection open",
    async () => {
      const endpoint = echo();
      await using listener = await listen(endpoint, "ws://127.0.0.1:0", { heartbeatMs: 0 });
      const socket = await rudeClient(listener.url);
      await until(() => endpoint.connections.length === 1);
      const over = hungUp(socket);
      socket.write(frame(0x88, true, Buffer.from([0x03, 0xe8])));
      expect((await endpoint.connections[0]?.closed)?.message).toContain("closed by the other end (1000)");
      await over;
      socket.destroy();
    },
    SLOW,
  );

  verifies(
    "security.s55",
    "closes the connection if a server sends a close frame but keeps the connection open",
    async () => {
      using server = await rudeServer();
      const client = read(await websocket(server.url, { heartbeatMs: 0 })(never));
      server.sockets[0]?.write(frame(0x88, false, Buffer.from([0x03, 0xe8])));
      expect((await client.closed).message).toContain("closed by the other end (1000)");
    },
    { ...SLOW, skip: onBun(OWN_SOCKET) },
  );
});

verifies(
  "security.s2",
  "disconnects a server that pings and does not read the answers",
  async () => {
    using server = await rudeServer();
    const client = read(await websocket(server.url)(never));
    const [socket] = server.sockets;
    socket?.pause();
    const pings = repeated(1_000, frame(0x89, false, Buffer.alloc(125)));
    const flood = (error?: Error | null): void => {
      if (!error && !socket?.destroyed) socket?.write(pings, flood);
    };
    flood();
    expect((await client.closed).message).toContain("does not read the answers to its pings");
  },
  { ...SLOW, skip: onBun("Bun answers pings itself, with its own limits") },
);
