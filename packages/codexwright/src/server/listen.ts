import { InvalidArgumentError } from "../rpc/errors.ts";
import type { Transport } from "../rpc/transport.ts";
import { isLoopback } from "../websocket/loopback.ts";
import { parseAddress } from "./address.ts";
import { LISTEN_AUTH, type ListenAuth } from "./auth.ts";
import type { Listener } from "./listener.ts";
import { StdioServerTransport } from "./stdio.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

const MAX_MESSAGE = 64 * 1024 * 1024;

/** Receives the accepted connections. An `Endpoint` is an acceptor. */
export interface Acceptor {
  accept(transport: Transport): unknown;
}

/** Options of {@link listen}. All except `maxMessageBytes` apply to sockets only. */
export interface ListenOptions {
  /** How clients must authenticate. If it is omitted, only clients on this machine can connect. */
  readonly auth?: ListenAuth | undefined;
  /**
   * Origins of web pages that may connect, such as `https://example.com`. Default: none, so every request with an
   * `Origin` gets 403. Pages send their token as the subprotocol `codexwright.bearer.TOKEN`.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * The maximum number of connected clients. Further clients are refused with 503 until a client disconnects. Default:
   * no limit.
   */
  readonly maxConnections?: number | undefined;
  /**
   * The maximum length of a message. A client that sends a longer message is disconnected, on sockets with code 1009.
   * Default: 64 MiB, like the real server.
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * The maximum number of messages that are queued for a client. If a client exceeds it for one second, it is
   * disconnected. Default: 32 Ki, like the real server.
   */
  readonly maxQueuedMessages?: number | undefined;
  /**
   * The maximum number of bytes that are queued for a client. A client that exceeds it is disconnected. Default and
   * maximum: 64 MiB, because an endpoint disconnects every client at this limit.
   */
  readonly maxQueuedBytes?: number | undefined;
  /**
   * The interval between pings. A client that is silent for three intervals counts as dead. Default: 20,000; 0 disables
   * pings.
   */
  readonly heartbeatMs?: number | undefined;
}

const OPTIONS: Table<ListenOptions> = {
  auth: LISTEN_AUTH,
  allowedOrigins: is.listOf(is.text),
  maxConnections: is.integerOrInfinity(1),
  maxMessageBytes: is.integer(1),
  maxQueuedMessages: is.integerOrInfinity(0),
  maxQueuedBytes: is.integerOrInfinity(0),
  heartbeatMs: is.milliseconds,
};

/**
 * Accepts clients at `stdio://`, `ws://HOST:PORT` (port 0 chooses a free one) or `unix://PATH`, and passes each
 * authenticated client to the endpoint. Sockets need the package `ws`.
 */
export async function listen(
  endpoint: Acceptor,
  url: string,
  options: ListenOptions = {},
): Promise<Listener> {
  is.checkArgument("listen()", "endpoint", endpoint, is.methods<Acceptor>("accept"));
  checkOptions("listen()", options, OPTIONS);
  const address = parseAddress(url);
  const { auth, allowedOrigins = [] } = options;
  if (address.kind !== "ws" && (auth ?? allowedOrigins.length > 0)) {
    throw new InvalidArgumentError(
      `auth and allowedOrigins apply to ws:// only: the system protects ${address.kind}://`,
    );
  }
  if (address.kind === "stdio") return listenOnStdio(endpoint, options);
  if (address.kind === "ws" && !auth && !isLoopback(address.hostname)) {
    throw new InvalidArgumentError(
      `refusing to start non-loopback websocket listener ${address.hostname}:${address.port} without auth: set the option auth`,
    );
  }
  checkOrigins(allowedOrigins);
  // Loaded when it is needed, because a server over stdio must start fast.
  const { listenOnSocket } = await import("./listen-on-socket.ts");
  return await listenOnSocket(endpoint, url, address, options);
}

function listenOnStdio(endpoint: Acceptor, { maxMessageBytes = MAX_MESSAGE }: ListenOptions): Listener {
  const transport = new StdioServerTransport(maxMessageBytes);
  endpoint.accept(transport);
  const close = (): Promise<void> => transport.close();
  return { url: "stdio://", closed: transport.done, close, [Symbol.asyncDispose]: close };
}

function checkOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    if (origin === "null" || (URL.canParse(origin) && new URL(origin).origin === origin)) continue;
    throw new InvalidArgumentError(
      `allowedOrigins contains ${origin}, which is not an origin: it must look like https://example.com, without a path`,
    );
  }
}
