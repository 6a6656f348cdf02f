import { Heartbeat } from "./heartbeat.ts";
import { SocketTransport, type Wire } from "./socket-transport.ts";
import type { WsSocket } from "./ws.ts";

const OPEN = 1;
/** The real server accepts frames of up to 16 MiB. Larger messages need several frames. */
const FRAME_BYTES = 8 * 1024 * 1024;

/**
 * The maximum number of our answers to pings that the peer has not read. Each answer costs a few hundred bytes. A
 * heartbeat needs only one at a time.
 */
const MAX_PINGS = 16_384;

export interface WsTransportOptions {
  /** The name of the other end in messages. */
  readonly peer: string;
  readonly heartbeatMs: number;
  /** The maximum length of a message that the socket accepts, for error messages. */
  readonly maxMessageBytes: number;
  readonly wire?: (wire: Wire) => Wire;
}

/** Creates a transport over a client or server socket of the package `ws`. */
export function wsTransport(socket: WsSocket, options: WsTransportOptions): SocketTransport {
  const { peer, heartbeatMs, maxMessageBytes, wire = (same: Wire): Wire => same } = options;
  const transport = new SocketTransport(
    peer,
    wire({
      write: (text) => write(socket, text),
      end: () => socket.close(1000),
      cut: () => socket.terminate(),
    }),
  );
  const heartbeat = new Heartbeat(
    heartbeatMs,
    () => socket.ping(),
    () => transport.giveUp(`the connection to ${peer} is dead: it did not answer a ping`),
  );
  // The socket of a client is not open at first, and cannot be pinged until it is.
  let wasOpen = socket.readyState === OPEN;
  if (wasOpen) heartbeat.start();
  socket.on("open", () => {
    wasOpen = true;
    heartbeat.start();
  });
  socket.on("message", (data, isBinary) => {
    heartbeat.heard();
    if (isBinary) return transport.receivedBinary(data.length);
    try {
      transport.received(data.toString());
    } catch (cause) {
      transport.refused("a message is longer than a string can be", cause);
      socket.terminate();
    }
  });
  socket.on("pong", () => heartbeat.heard());
  // The package answers pings itself, even if the peer does not read.
  let unread = 0;
  socket.on("ping", () => {
    unread = socket.bufferedAmount === 0 ? 0 : unread + 1;
    if (unread > MAX_PINGS)
      transport.giveUp(`${peer} was cut off: it does not read the answers to its pings`);
  });
  socket.on("error", (error) => {
    if (!wasOpen) return transport.failed(error);
    // The package has sent the close code and waits for the peer to close.
    heartbeat.stop();
    if (isTooLong(error)) transport.tooLong(maxMessageBytes, error);
    else transport.refused(reasonOf(error), error);
  });
  socket.on("close", (code, reason) => {
    heartbeat.stop();
    transport.ended(code, reason.toString());
  });
  return transport;
}

type SocketError = Error & { readonly code?: string };

function isTooLong({ code }: SocketError): boolean {
  return code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH" || code === "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH";
}

function reasonOf(error: SocketError): string {
  switch (error.code) {
    case "WS_ERR_TOO_MANY_BUFFERED_PARTS":
      return "a message has too many fragments or packets";
    case "WS_ERR_INVALID_UTF8":
      return "a message is not UTF-8";
    default:
      return `the other end broke the websocket protocol: ${error.message}`;
  }
}

function write(socket: WsSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.readyState !== OPEN) return reject(new Error("the websocket is not open"));
    const done = (error?: Error | null): void => (error ? reject(error) : resolve());
    // Each UTF-16 unit takes at most three bytes in UTF-8.
    if (text.length * 3 <= FRAME_BYTES) return socket.send(text, { binary: false, fin: true }, done);
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
      const fin = at + FRAME_BYTES >= bytes.length;
      socket.send(bytes.subarray(at, at + FRAME_BYTES), { binary: false, fin }, fin ? done : () => {});
    }
  });
}
