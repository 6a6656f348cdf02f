import type { Wire } from "../websocket/socket-transport.ts";
import type { WsSocket } from "../websocket/ws.ts";

/** How much may wait for a client that does not read. */
export interface QueueLimits {
  readonly maxQueuedMessages: number;
  readonly maxQueuedBytes: number;
}

/** How long a client may take to come back below the number of messages, which one burst can reach. */
const GRACE_MS = 1_000;

/**
 * Cuts off a client that does not read: at once where too many bytes wait for it, after a moment where too many
 * messages do. A message of any size may be sent to a client that has read all others.
 */
export function bounded(
  wire: Wire,
  limits: QueueLimits,
  socket: Pick<WsSocket, "bufferedAmount">,
  cut: (why: string) => void,
): Wire {
  let sent = 0;
  let flushed = 0;
  let late: ReturnType<typeof setTimeout> | undefined;
  const waiting = (): number => sent - flushed;
  const tooSlow = (): void => {
    clearTimeout(late);
    cut(`the client was cut off: it does not read, and ${waiting()} messages wait for it`);
  };
  const watch = (): void => {
    if (waiting() <= limits.maxQueuedMessages) {
      clearTimeout(late);
      late = undefined;
    } else {
      late ??= setTimeout(tooSlow, GRACE_MS);
    }
  };
  return {
    ...wire,
    write(text) {
      if (socket.bufferedAmount > limits.maxQueuedBytes) {
        tooSlow();
        return Promise.reject(new Error("the client is too slow"));
      }
      const place = ++sent;
      const settled = (): void => {
        flushed = Math.max(flushed, place);
        watch();
      };
      const writing = wire.write(text);
      // The system may have taken all of it already, long before the callback says so.
      if (socket.bufferedAmount === 0) flushed = sent;
      watch();
      writing.then(settled, settled);
      return writing;
    },
  };
}
