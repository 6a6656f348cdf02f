import { AbortedError } from "../rpc/errors.ts";
import { offAbort, onAbort } from "../rpc/on-abort.ts";
import type { Transport } from "../rpc/transport.ts";
import { refusal, unreachable } from "./refusal.ts";
import { limitsOf, type WsClientOptions, type WsResponse, type WsSocket } from "./ws.ts";
import { wsTransport } from "./ws-wire.ts";

/** The maximum length of a refusal's body that is read. */
const BODY_BYTES = 4_096;

/** The server that a socket connects to. */
export interface Target {
  /** Names the server in messages. */
  readonly peer: string;
  /** The token that is sent to the server. Errors must not contain it. */
  readonly token?: string | undefined;
  readonly heartbeatMs: number;
  /** A longer message ends the connection. */
  readonly maxLineBytes: number;
}

/** Opens a socket of the package `ws`. Rejects with the reason if it cannot be opened. */
export async function dialWs(
  open: (options: WsClientOptions) => WsSocket,
  target: Target & Pick<WsClientOptions, "createConnection">,
  signal: AbortSignal,
): Promise<Transport> {
  // The signal may have aborted while a token was fetched or a package was loaded. A socket that is opened now would
  // never be closed.
  if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
  const { peer, token, heartbeatMs, maxLineBytes, createConnection } = target;
  const socket = open({
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
    ...(createConnection && { createConnection }),
    ...limitsOf(maxLineBytes),
  });
  // Listen before the socket is open, because the packet that opens it may already contain the first message.
  const transport = wsTransport(socket, { peer, heartbeatMs, maxMessageBytes: maxLineBytes });
  let giveUp = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      giveUp = (): void => reject(new AbortedError("connecting", "notSent", signal.reason));
      onAbort(signal, giveUp);
      socket.on("open", resolve);
      socket.on("error", (error) => reject(unreachable(peer, reasonOf(error), error)));
      socket.on("close", () => reject(unreachable(peer, "it hung up", undefined)));
      socket.on("unexpected-response", (_request, response) => {
        void bodyOf(response).then((body) => reject(refusal(peer, response.statusCode ?? 0, body, token)));
      });
    });
    return transport;
  } catch (error) {
    socket.terminate();
    throw error;
  } finally {
    offAbort(signal, giveUp);
  }
}

/** If Node tried several addresses, the error has a code but no message. */
function reasonOf(error: Error & { readonly code?: string }): string {
  return error.message || (error.code ?? "unknown error");
}

function bodyOf(response: WsResponse): Promise<string> {
  return new Promise((resolve) => {
    const text = new TextDecoder();
    let body = "";
    const done = (): void => resolve(body);
    response.on("data", (chunk) => {
      body += text.decode(chunk, { stream: true });
      if (body.length >= BODY_BYTES) done();
    });
    response.on("end", done);
    response.on("close", done);
    response.on("error", done);
  });
}
