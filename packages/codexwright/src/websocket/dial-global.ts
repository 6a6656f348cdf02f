import { AbortedError } from "../rpc/errors.ts";
import { offAbort, onAbort } from "../rpc/on-abort.ts";
import type { Transport } from "../rpc/transport.ts";
import { Backlog, type Buffering } from "./backlog.ts";
import type { Target } from "./dial-ws.ts";
import { unreachable } from "./refusal.ts";
import { SocketTransport } from "./socket-transport.ts";

/** The part of a built-in WebSocket that we use. */
export interface GlobalSocket extends Buffering {
  binaryType: string;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: "error",
    listener: (event: { readonly message?: string; readonly error?: unknown }) => void,
  ): void;
  addEventListener(
    type: "close",
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

const OPEN = 1;
/** Built-in sockets do not report why they could not be opened. */
const SECRETIVE =
  "no server is listening, it is not a websocket server, or it refused the token or the origin of the page (the runtime does not report which)";

/** Opens a built-in socket. Rejects if it cannot be opened. */
export async function dialGlobal(
  open: () => GlobalSocket,
  { peer, maxLineBytes }: Target,
  signal: AbortSignal,
): Promise<Transport> {
  // The signal may have aborted while a token was fetched or a package was loaded. A socket that is opened now would
  // never be closed.
  if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
  const socket = tryToOpen(open, peer);
  socket.binaryType = "arraybuffer";
  const backlog = new Backlog(socket);
  const transport = new SocketTransport(peer, {
    write: async (text) => {
      if (socket.readyState !== OPEN) throw new Error("the websocket is not open");
      socket.send(text);
      await backlog.taken();
    },
    end: () => socket.close(1000),
    // A built-in socket cannot be terminated.
    cut: () => socket.close(),
  });
  socket.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") transport.receivedBinary((data as ArrayBuffer).byteLength);
    else if (fits(data, maxLineBytes)) transport.received(data);
    else {
      transport.tooLong(maxLineBytes);
      socket.close();
    }
  });
  socket.addEventListener("close", ({ code, reason }) => transport.ended(code, reason));
  let giveUp = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      giveUp = (): void => reject(new AbortedError("connecting", "notSent", signal.reason));
      onAbort(signal, giveUp);
      socket.addEventListener("open", resolve);
      socket.addEventListener("close", () => reject(unreachable(peer, SECRETIVE, undefined)));
      socket.addEventListener("error", ({ message, error }) => {
        const cause = error ?? (message ? new Error(message) : undefined);
        transport.failed(cause);
        reject(unreachable(peer, SECRETIVE, cause));
      });
    });
    return transport;
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    offAbort(signal, giveUp);
  }
}

/** Opens the socket. The constructor throws if a web page is not allowed to connect to this address. */
function tryToOpen(open: () => GlobalSocket, peer: string): GlobalSocket {
  try {
    return open();
  } catch (cause) {
    throw unreachable(peer, "the runtime does not allow it", cause);
  }
}

/** Whether a text has at most this many bytes in UTF-8. A UTF-16 unit has one to three. */
function fits(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return true;
  return text.length <= maxBytes && new TextEncoder().encode(text).length <= maxBytes;
}
