import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** An event of the realtime API, in either direction. */
export type UpstreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The upstream's reaction to an event from Codex: it sends events, or ends the connection. */
export type UpstreamAnswer = readonly UpstreamEvent[] | "close" | "reset";

export interface RealtimeUpstream extends Disposable {
  /** The TOML that makes a real app-server use it. */
  readonly config: string;
  readonly received: readonly UpstreamEvent[];
  /** Resets every connection. */
  reset(): void;
}

/**
 * Starts a realtime API on loopback. It has its own minimal WebSocket server, because Node has none built in.
 *
 * The first `mute` connections get no answer, not even to their handshake.
 */
export async function realtimeUpstream(
  answer: (event: UpstreamEvent) => UpstreamAnswer,
  { mute = 0 }: { readonly mute?: number } = {},
): Promise<RealtimeUpstream> {
  const sockets = new Set<Duplex>();
  const received: UpstreamEvent[] = [];
  const server = createServer();
  server.on("upgrade", ({ headers }, socket) => {
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    sockets.add(socket);
    if (mute-- > 0) return;
    const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    readFrames(socket, (opcode, body) => {
      if (opcode === CLOSE) socket.end(frame(CLOSE, body));
      if (opcode === PING) socket.write(frame(PONG, body));
      if (opcode !== TEXT) return;
      const event = JSON.parse(body.toString()) as UpstreamEvent;
      received.push(event);
      const said = answer(event);
      if (said === "reset") socket.destroy();
      else if (said === "close") socket.end(frame(CLOSE, Buffer.alloc(0)));
      else for (const each of said) socket.write(frame(TEXT, Buffer.from(JSON.stringify(each))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const { port } = server.address() as AddressInfo;
  return {
    // 0.145 needs the flag, and newer versions ignore it.
    config: `experimental_realtime_ws_base_url = "ws://127.0.0.1:${port}"
experimental_realtime_ws_startup_context = "none"

[features]
realtime_conversation = true

[model_providers.mock]
experimental_bearer_token = "sk-loopback"
`,
    received,
    reset,
    [Symbol.dispose]: () => {
      reset();
      server.close();
    },
  };
}

/** An answer in text, in these pieces. */
export function utterance(...deltas: string[]): UpstreamEvent[] {
  return [
    ...deltas.map((delta) => ({ type: "response.output_text.delta", delta })),
    { type: "response.output_text.done", text: deltas.join("") },
  ];
}

/** The text of a message from Codex; `undefined` for any other event. */
export function textOf({ item }: UpstreamEvent): string | undefined {
  const { content } = (item ?? {}) as { content?: readonly { readonly text?: string }[] };
  return content?.[0]?.text;
}

const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];

/** Reads whole frames of a client, which are masked. Codex does not split its messages. */
function readFrames(socket: Duplex, take: (opcode: number, body: Buffer) => void): void {
  let buffered = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (;;) {
      const [first = 0, second = 0] = buffered;
      const short = second & 127;
      const head = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (buffered.length < head) return;
      const length =
        head === 2 ? short : head === 4 ? buffered.readUInt16BE(2) : Number(buffered.readBigUInt64BE(2));
      const end = head + 4 + length;
      if (buffered.length < end) return;
      const mask = buffered.subarray(head, head + 4);
      const body = buffered.subarray(head + 4, end).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
      buffered = buffered.subarray(end);
      take(first & 15, Buffer.from(body));
    }
  });
}

/** An unmasked frame of up to 64 KiB, as servers send them. */
function frame(opcode: number, body: Buffer): Buffer {
  const head = body.length < 126 ? [body.length] : [126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([128 | opcode, ...head]), body]);
}
