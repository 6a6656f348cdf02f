import { connect } from "node:net";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import { LINE_BYTES, MAX_LINE_BYTES } from "../rpc/line-too-long.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import type { TransportFactory } from "../rpc/transport.ts";
import { dialWs } from "../websocket/dial-ws.ts";
import { loadWs } from "../websocket/ws.ts";

/** On one machine, the kernel closes the sockets of a dead process, so no heartbeat is needed. */
const NO_HEARTBEAT = 0;

/** How to reach an app-server that listens on a unix socket. */
export interface UnixSocketOptions {
  /**
   * The longest line that the server may send, in bytes. A longer line ends the connection. Default: 268,435,456, which is
   * also the maximum.
   */
  readonly maxLineBytes?: number | undefined;
}

const OPTIONS: Table<UnixSocketOptions> = { maxLineBytes: LINE_BYTES };

/**
 * Connects to an app-server over a unix socket. The connection is a WebSocket; the permissions of the socket file take
 * the place of a token.
 *
 * On Node, this needs the package `ws`; Bun has a built-in WebSocket.
 */
export function unixSocket(socketPath: string, options: UnixSocketOptions = {}): TransportFactory {
  checkOptions("unixSocket()", options, OPTIONS);
  if (typeof socketPath !== "string" || socketPath === "")
    throw new InvalidArgumentError("path must be the path of the server's socket");
  const { maxLineBytes = MAX_LINE_BYTES } = options;
  const file = path.resolve(socketPath);
  return async (signal) => {
    if (signal.aborted) throw new AbortedError("connecting", "notSent", signal.reason);
    const { WebSocket } = await loadWs("unixSocket()");
    return await dialWs(
      // The host appears only in a header.
      (settings) => new WebSocket("ws://localhost/", [], settings),
      {
        peer: `unix://${file}`,
        heartbeatMs: NO_HEARTBEAT,
        maxLineBytes,
        createConnection: () => connect(file),
      },
      signal,
    );
  };
}
