import type { Wire } from "../websocket/socket-transport.ts";
import type { WsSocket } from "../websocket/ws.ts";

/** The limits of the messages that are queued for a client that does not read. */
export interface QueueLimits {
  readonly maxQueuedMessages: number;
  readonly maxQueuedBytes: number;
}

/** How long a client may exceed the limit of queued messages: a single burst can exceed the limit for a moment. */
const GRACE_MS = 1_000;

/**
 * Disconnects a client that does not read: immediately if too many bytes are queued, and after a second if too many
 * messages are. If a client has read everything, the next message may have any size.
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
      // The system may have accepted all bytes long before the callback runs.
      if (socket.bufferedAmount === 0) flushed = sent;
      watch();
      writing.then(settled, settled);
      return writing;
    },
  };
}
