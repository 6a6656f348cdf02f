import { connect } from "node:net";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import type { TransportFactory } from "../rpc/transport.ts";
import { dialWs } from "../websocket/dial-ws.ts";
import { loadWs } from "../websocket/ws.ts";

/** On one machine, the kernel closes the sockets of a dead process, so no heartbeat is needed. */
const NO_HEARTBEAT = 0;

/**
 * Connects to an app-server over a unix socket. It is also a websocket; the mode of the file replaces a token.
 *
 * On Node it needs the package `ws`; Bun has its own.
 */
export function unixSocket(socketPath: string): TransportFactory {
  if (typeof socketPath !== "string" || socketPath === "")
    throw new InvalidArgumentError("path must be the path of the server's socket");
  const file = path.resolve(socketPath);
  return async (signal) => {
    if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
    const { WebSocket } = await loadWs("unixSocket()");
    return await dialWs(
      // The host is only sent in a header.
      (options) => new WebSocket("ws://localhost/", [], options),
      { peer: `unix://${file}`, heartbeatMs: NO_HEARTBEAT, createConnection: () => connect(file) },
      signal,
    );
  };
}
