import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import type { SocketTransport } from "../websocket/socket-transport.ts";
import { limitsOf, loadWs } from "../websocket/ws.ts";
import { wsTransport } from "../websocket/ws-wire.ts";
import type { Address } from "./address.ts";
import { makeVerifier } from "./auth.ts";
import { bounded, type QueueLimits } from "./bounded.ts";
import { ListenError } from "./errors.ts";
import { readFairly } from "./fair.ts";
import { selectProtocol, type Refusal } from "./authorize-upgrade.ts";
import type { Acceptor, ListenOptions } from "./listen.ts";
import { SocketListener, type Listener } from "./listener.ts";
import { listenOnFile } from "./socket-file.ts";
import { Strangers } from "./strangers.ts";
import { answer, webServer } from "./web.ts";

const MIB = 1024 * 1024;
const MAX_MESSAGE = 64 * MIB;

/** The answer if there are too many connections. It is sent only to clients that are otherwise allowed to connect. */
const FULL: Refusal = { status: 503, body: "too many connections" };

/** Accepts clients on a websocket or a unix socket. The options are checked. */
export async function listenOnSocket(
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
  // If one client cannot be accepted, for example because there are no file descriptors left, the other clients must
  // not be affected.
  server.on("error", () => {});
  return new SocketListener(urlOf(server, address), server, open, removed);
}

/** Starts listening. Returns a function to call before the server is closed. */
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
