import { connect } from "node:net";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import type { TransportFactory } from "../rpc/transport.ts";
import { dialWs } from "../websocket/dial-ws.ts";
import { loadWs } from "../websocket/ws.ts";

/** A dead process closes its sockets: on one machine nobody falls silent. */
const NO_HEARTBEAT = 0;

/**
 * Speaks to an app-server over a unix socket: a websocket too, with the file's mode in the place of a token.
 *
 * On Node it needs the package `ws`; Bun has its own.
 */
export function unixSocket(socketPath: string): TransportFactory {
  if (typeof socketPath !== "string" || socketPath === "")
    throw new InvalidArgumentError("path must name the server's socket");
  const file = path.resolve(socketPath);
  return async (signal) => {
    if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
    const { WebSocket } = await loadWs("unixSocket()");
    return await dialWs(
      // The host is told to the server in a header and used for nothing else.
      (options) => new WebSocket("ws://localhost/", [], options),
      { peer: `unix://${file}`, heartbeatMs: NO_HEARTBEAT, createConnection: () => connect(file) },
      signal,
    );
  };
}
