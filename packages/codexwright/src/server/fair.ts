import type { WsSocket } from "../websocket/ws.ts";

/** How many messages of one client are read before the other clients get a turn. */
const SHARE = 256;

/**
 * Limits the messages that are read from a client in one turn of the event loop, so that a flooding client does not
 * block the others. Without this limit, a socket is read for as long as it has data. The package `ws` has an option for
 * this limit, but Bun's built-in `ws` ignores that option.
 */
export function readFairly(socket: WsSocket): void {
  let read = 0;
  const nextTurn = (): void => {
    read = 0;
    socket.resume();
  };
  socket.on("message", () => {
    read++;
    if (read === 1) setImmediate(nextTurn);
    if (read === SHARE) socket.pause();
  });
}
