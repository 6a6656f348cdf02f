import { Heartbeat } from "./heartbeat.ts";
import { SocketTransport, type Wire } from "./socket-transport.ts";
import type { WsSocket } from "./ws.ts";

const OPEN = 1;
/** The real server takes frames up to 16 MiB, and larger messages in several of them. */
const FRAME_BYTES = 8 * 1024 * 1024;

/** A transport over a socket of `ws`, a client's or a server's. */
export function wsTransport(
  socket: WsSocket,
  options: { readonly peer: string; readonly heartbeatMs: number; readonly wire?: (wire: Wire) => Wire },
): SocketTransport {
  const { peer, heartbeatMs, wire = (same: Wire): Wire => same } = options;
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
  // A client's is still to be opened, and cannot be pinged before.
  if (socket.readyState === OPEN) heartbeat.start();
  else socket.on("open", () => heartbeat.start());
  socket.on("message", (data, isBinary) => {
    heartbeat.heard();
    if (isBinary) return transport.receivedBinary(data.length);
    try {
      transport.received(data.toString());
    } catch (cause) {
      // Longer than a string can be.
      transport.failed(cause);
      socket.terminate();
    }
  });
  socket.on("pong", () => heartbeat.heard());
  socket.on("error", (error) => transport.failed(error));
  socket.on("close", (code, reason) => {
    heartbeat.stop();
    transport.ended(code, reason.toString());
  });
  return transport;
}

function write(socket: WsSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.readyState !== OPEN) return reject(new Error("the websocket is not open"));
    const done = (error?: Error | null): void => (error ? reject(error) : resolve());
    // A character is at most three bytes long for each of its UTF-16 units.
    if (text.length * 3 <= FRAME_BYTES) return socket.send(text, { binary: false, fin: true }, done);
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
      const fin = at + FRAME_BYTES >= bytes.length;
      socket.send(bytes.subarray(at, at + FRAME_BYTES), { binary: false, fin }, fin ? done : () => {});
    }
  });
}
