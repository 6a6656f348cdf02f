import { connect } from "node:net";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import type { TransportFactory } from "../rpc/transport.ts";
import { dialWs } from "../websocket/dial-ws.ts";
import { loadWs } from "../websocket/ws.ts";

/** On one machine, the kernel closes the sockets of a dead process, so no heartbeat is needed. */
const NO_HEARTBEAT = 0;

/**
 * Connects to an app-server over a unix socket. The connection is a WebSocket; the permissions of the socket file take
 * the place of a token.
 *
 * On Node, this needs the package `ws`; Bun has a built-in WebSocket.
 */
export function unixSocket(socketPath: string): TransportFactory {
  if (typeof socketPath !== "string" || socketPath === "")
    throw new InvalidArgumentError("path must be the path of the server's socket");
  const file = path.resolve(socketPath);
  return async (signal) => {
    if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
    const { WebSocket } = await loadWs("unixSocket()");
    return await dialWs(
      // The host appears only in a header.
      (options) => new WebSocket("ws://localhost/", [], options),
      { peer: `unix://${file}`, heartbeatMs: NO_HEARTBEAT, createConnection: () => connect(file) },
      signal,
    );
  };
}
