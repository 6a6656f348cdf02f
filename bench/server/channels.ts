import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Duplex, Writable } from "node:stream";

/** One client's connection, for whole messages. */
export interface Channel {
  /** The bytes of a message, to be written alone or together with others. */
  frame(text: string): Buffer;
  /** Resolves when more may be written. This is the only way in which a client can delay the server. */
  write(bytes: Buffer): Promise<void>;
}

export type Take = (text: string, channel: Channel) => void;

/** Serves over this process's own stdin and stdout. */
export function serveStdio(framing: "lines" | "headers", take: Take): Channel {
  const frame = framing === "lines" ? lineFrame : headerFrame;
  const channel: Channel = { frame, write: writer(process.stdout) };
  const pull = framing === "lines" ? pullLine : pullHeaders;
  read(process.stdin, pull, (text) => take(text, channel));
  process.stdin.on("end", () => process.exit(0));
  return channel;
}

/** Serves websockets, one client at a time, and prints the address. Ends when stdin closes. */
export function serveSockets(kind: "unix" | "ws", take: Take): void {
  const server = createServer();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const channel: Channel = { frame: websocketFrame, write: writer(socket) };
    read(
      socket,
      (bytes) => pullWebsocket(bytes, () => socket.end()),
      (text) => take(text, channel),
    );
    socket.on("error", () => {});
  });
  let folder: string | undefined;
  process.stdin.resume().on("end", () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  if (kind === "unix") {
    folder = mkdtempSync(path.join(tmpdir(), "codexwright-bench-"));
    const file = path.join(folder, "socket");
    server.listen(file, () => process.stdout.write(`${file}\n`));
  } else {
    server.listen(0, "127.0.0.1", () => {
      process.stdout.write(`ws://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
    });
  }
}

function writer(stream: Writable): (bytes: Buffer) => Promise<void> {
  return async (bytes) => {
    if (!stream.write(bytes)) await new Promise<void>((resolve) => stream.once("drain", resolve));
  };
}

/** The result of a reader: a message, if a whole one has arrived, and its number of bytes. */
interface Pulled {
  readonly text: string | undefined;
  readonly bytes: number;
}
type Pull = (bytes: Buffer) => Pulled | undefined;

function read(stream: NodeJS.ReadableStream, pull: Pull, take: (text: string) => void): void {
  let carry: Buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    carry = carry.length > 0 ? Buffer.concat([carry, chunk]) : chunk;
    for (let pulled = pull(carry); pulled; pulled = pull(carry)) {
      carry = carry.subarray(pulled.bytes);
      if (pulled.text !== undefined) take(pulled.text);
    }
  });
}

function lineFrame(text: string): Buffer {
  return Buffer.from(`${text}\n`);
}

function pullLine(bytes: Buffer): Pulled | undefined {
  const end = bytes.indexOf(0x0a);
  return end < 0 ? undefined : { text: bytes.toString("utf8", 0, end), bytes: end + 1 };
}

/** The framing of language servers. */
function headerFrame(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

function pullHeaders(bytes: Buffer): Pulled | undefined {
  const head = bytes.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = Number(/Content-Length: (\d+)/i.exec(bytes.toString("latin1", 0, head))?.[1]);
  const end = head + 4 + length;
  return bytes.length < end ? undefined : { text: bytes.toString("utf8", head + 4, end), bytes: end };
}

function websocketFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  if (body.length < 126) head[1] = body.length;
  else if (body.length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(body.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  return Buffer.concat([head, body]);
}

/** A client's frames are masked. Here they are never longer than 64 KiB. */
function pullWebsocket(bytes: Buffer, close: () => void): Pulled | undefined {
  if (bytes.length < 6) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const at = short === 126 ? 4 : 2;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const end = at + 4 + length;
  if (bytes.length < end) return undefined;
  const opcode = (bytes[0] ?? 0) & 0x0f;
  if (opcode === 8) close();
  if (opcode !== 1) return { text: undefined, bytes: end };
  const body = Buffer.from(bytes.subarray(at + 4, end));
  for (let n = 0; n < length; n++) body[n] = (body[n] ?? 0) ^ (bytes[at + (n & 3)] ?? 0);
  return { text: body.toString("utf8"), bytes: end };
}
