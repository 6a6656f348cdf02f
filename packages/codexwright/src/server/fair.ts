import type { WsSocket } from "../websocket/ws.ts";

/** Messages of one client after which the others have their turn. */
const SHARE = 256;

/**
 * Reads no more of a client in one turn of the loop than its share, so that one that floods does not keep others
 * waiting: a socket is otherwise read for as long as it has something. The package `ws` takes turns after every
 * message where it is told to; this is for the `ws` of Bun, which does not listen.
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
