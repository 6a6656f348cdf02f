import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import type { Transport } from "../rpc/transport.ts";
import { isLoopback } from "../websocket/loopback.ts";
import type { SocketTransport } from "../websocket/socket-transport.ts";
import { limitsOf, loadWs } from "../websocket/ws.ts";
import { wsTransport } from "../websocket/ws-wire.ts";
import { parseAddress, type Address } from "./address.ts";
import { LISTEN_AUTH, makeVerifier, type ListenAuth } from "./auth.ts";
import { bounded, type QueueLimits } from "./bounded.ts";
import { ListenError } from "./errors.ts";
import { readFairly } from "./fair.ts";
import { selectProtocol, type Refusal } from "./authorize-upgrade.ts";
import { SocketListener, type Listener } from "./listener.ts";
import { listenOnFile } from "./socket-file.ts";
import { StdioServerTransport } from "./stdio.ts";
import { Strangers } from "./strangers.ts";
import { answer, webServer } from "./web.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

const MIB = 1024 * 1024;
const MAX_MESSAGE = 64 * MIB;

/** Told to those alone who may connect. */
const FULL: Refusal = { status: 503, body: "too many connections" };

/** What connections are given to: an `Endpoint`, say. */
export interface Acceptor {
  accept(transport: Transport): unknown;
}

/** Options of {@link listen}; all but `maxMessageBytes` are for sockets. */
export interface ListenOptions {
  /** What clients must show; without it only this machine's can connect. */
  readonly auth?: ListenAuth | undefined;
  /**
   * Pages that may connect, as `https://example.com`; default none: every request with an `Origin` gets 403.
   * Their token comes as the subprotocol `codexwright.bearer.TOKEN`.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Clients that may be connected at once; who comes then is refused with 503 until one leaves. Default: no limit. */
  readonly maxConnections?: number | undefined;
  /** A client whose message is longer is cut off, on sockets with 1009; default 64 MiB, as the real server's there. */
  readonly maxMessageBytes?: number | undefined;
  /** A client for which more messages wait a second long is cut off; default 32 Ki, as the real server. */
  readonly maxQueuedMessages?: number | undefined;
  /** A client for which more bytes wait is cut off; default and most: 64 MiB, which holds for every client of an endpoint. */
  readonly maxQueuedBytes?: number | undefined;
  /** A client is pinged after so long without a word, and dead after three times as long; default 20,000; 0 = never. */
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
 * Accepts clients at `stdio://`, `ws://HOST:PORT` (0 = a free port) or `unix://PATH` and gives each, when it has
 * shown what it must, to the endpoint. Sockets need the package `ws`.
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
      `auth and allowedOrigins are for ws://: ${address.kind}:// is guarded by the system`,
    );
  }
  if (address.kind === "stdio") return listenOnStdio(endpoint, options);
  if (address.kind === "ws" && !auth && !isLoopback(address.hostname)) {
    throw new InvalidArgumentError(
      `refusing to start non-loopback websocket listener ${address.hostname}:${address.port} without auth: give the option auth`,
    );
  }
  checkOrigins(allowedOrigins);
  return await listenOnSocket(endpoint, url, address, options);
}

function listenOnStdio(endpoint: Acceptor, { maxMessageBytes = MAX_MESSAGE }: ListenOptions): Listener {
  const transport = new StdioServerTransport(maxMessageBytes);
  endpoint.accept(transport);
  const close = (): Promise<void> => transport.close();
  return { url: "stdio://", closed: transport.done, close, [Symbol.asyncDispose]: close };
}

async function listenOnSocket(
  endpoint: Acceptor,
  url: string,
  address: Exclude<Address, { kind: "stdio" }>,
  options: ListenOptions,
): Promise<Listener> {
  const { maxMessageBytes = MAX_MESSAGE, maxQueuedMessages = 32_768, maxQueuedBytes = 64 * MIB } = options;
  const { maxConnections = Infinity } = options;
  const { WebSocketServer } = await loadWs("a server on sockets");
  const verify = options.auth && (await makeVerifier(options.auth));
  const peers = new WebSocketServer({
    noServer: true,
    allowSynchronousEvents: false,
    ...limitsOf(maxMessageBytes),
    handleProtocols: selectProtocol,
  });
  const open = new Set<SocketTransport>();
  const limits: QueueLimits = { maxQueuedMessages, maxQueuedBytes };
  const strangers = new Strangers();
  const server = webServer(
    {
      checksOrigin: address.kind === "ws",
      allowedOrigins: new Set(options.allowedOrigins),
      verify,
    },
    strangers,
    (request, socket, head) => {
      if (open.size >= maxConnections) return answer(socket, FULL);
      peers.handleUpgrade(request, socket, head, (connected) => {
        strangers.admit(request.socket);
        const transport: SocketTransport = wsTransport(connected, {
          peer: "the client",
          maxMessageBytes,
          heartbeatMs: options.heartbeatMs ?? 20_000,
          wire: (wire) => bounded(wire, limits, connected, (why) => transport.giveUp(why)),
        });
        readFairly(connected);
        open.add(transport);
        void transport.done.then(() => open.delete(transport));
        endpoint.accept(transport);
      });
    },
  );
  const removed = await bind(server, url, address);
  // That one client cannot be accepted, for want of file descriptors say, is not the end of the others.
  server.on("error", () => {});
  return new SocketListener(urlOf(server, address), server, open, removed);
}

/** Returns what is to be done when the server is about to end. */
async function bind(
  server: Server,
  url: string,
  address: Exclude<Address, { kind: "stdio" }>,
): Promise<() => Promise<void>> {
  try {
    if (address.kind === "unix") return await listenOnFile(server, address.path);
    server.listen(address.port, address.hostname);
    await once(server, "listening");
    return async () => {};
  } catch (error) {
    if (error instanceof ListenError) throw error;
    throw (
      resourceExhausted(`listening on ${url}`, error) ?? new ListenError(url, (error as Error).message, error)
    );
  }
}

function urlOf(server: Server, address: Exclude<Address, { kind: "stdio" }>): string {
  if (address.kind === "unix") return `unix://${address.path}`;
  const { hostname } = address;
  return `ws://${hostname.includes(":") ? `[${hostname}]` : hostname}:${(server.address() as AddressInfo).port}`;
}

function checkOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    if (origin === "null" || (URL.canParse(origin) && new URL(origin).origin === origin)) continue;
    throw new InvalidArgumentError(
      `allowedOrigins has ${origin}, which is no origin: give it like https://example.com, without a path`,
    );
  }
}
