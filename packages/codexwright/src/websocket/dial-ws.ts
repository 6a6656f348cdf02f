import { AbortedError } from "../rpc/errors.ts";
import { offAbort, onAbort } from "../rpc/on-abort.ts";
import type { Transport } from "../rpc/transport.ts";
import { refusal, unreachable } from "./refusal.ts";
import { limitsOf, type WsClientOptions, type WsResponse, type WsSocket } from "./ws.ts";
import { wsTransport } from "./ws-wire.ts";

/** More of a refusal is not read. */
const BODY_BYTES = 4_096;

/** A message that is longer ends the connection; the app-server's own are far shorter. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/** What a socket is opened to. */
export interface Target {
  /** Names the server in messages. */
  readonly peer: string;
  /** For errors to be without it. */
  readonly token?: string | undefined;
  readonly heartbeatMs: number;
}

/** Waits until a socket of `ws` that is being opened is open, or rejects with the reason why it is not. */
export async function dialWs(
  open: (options: WsClientOptions) => WsSocket,
  target: Target & Pick<WsClientOptions, "createConnection">,
  signal: AbortSignal,
): Promise<Transport> {
  // It may have while a token was asked for, or a package loaded: then nobody would end what is opened here.
  if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
  const { peer, token, heartbeatMs, createConnection } = target;
  const socket = open({
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
    ...(createConnection && { createConnection }),
    ...limitsOf(MAX_MESSAGE_BYTES),
  });
  // Listens before the socket is open: the first message can be in the packet that opens it.
  const transport = wsTransport(socket, { peer, heartbeatMs, maxMessageBytes: MAX_MESSAGE_BYTES });
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

/** Where several addresses were tried there is a code, but no message. */
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
