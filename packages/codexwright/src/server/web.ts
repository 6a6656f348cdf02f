import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { Duplex } from "node:stream";
import { authorizeUpgrade, type UpgradePolicy, type HttpRequest, type Refusal } from "./authorize-upgrade.ts";
import type { Strangers, StrangerSocket } from "./strangers.ts";

/** Takes over the socket of an accepted request. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Creates an HTTP server that answers health probes and upgrades authorized requests. The returned server is not
 * listening yet.
 *
 * Each socket serves only one request. Every answer except an upgrade closes the socket. Later bytes are not read as
 * requests, because a proxy in front of the server may interpret them differently. The caller must report upgraded
 * sockets to `strangers`.
 */
export function webServer(policy: UpgradePolicy, strangers: Strangers, upgrade: Upgrade): Server {
  const used = new WeakSet<StrangerSocket>();
  const isFirst = (socket: StrangerSocket): boolean => {
    if (used.has(socket)) return false;
    used.add(socket);
    strangers.asked(socket);
    return true;
  };
  const respond: RequestListener = (request, response) => {
    if (!isFirst(request.socket)) return;
    void (async () => {
      const { status, body, headers } = (await authorizeUpgrade(toRequest(request), policy)) ?? NO_UPGRADE;
      response.writeHead(status, { ...headers, ...contentOf(body), connection: "close" }).end(body);
    })();
  };
  const server = createServer(respond);
  // By default, Node drops all headers after the 2,000th, even an `Origin` or the length of a body. The total size of
  // the headers is limited anyway, so their number need not be limited.
  server.maxHeadersCount = 0;
  server.on("connection", (socket) => strangers.add(socket));
  // Without these listeners, Node asks for the body, or answers by itself and continues to read.
  server.on("checkContinue", respond);
  server.on("checkExpectation", respond);
  server.on("upgrade", (request, socket, head) => {
    // The client may disconnect while we check its token. This is not an error.
    socket.on("error", () => socket.destroy());
    if (!isFirst(request.socket)) return;
    void (async () => {
      const refusal = await authorizeUpgrade(toRequest(request), policy);
      // The server may have been closed while the token was checked.
      if (!server.listening) socket.destroy();
      if (socket.destroyed) return;
      if (refusal) answer(socket, refusal);
      else upgrade(request, socket, head);
    })();
  });
  return server;
}

/** The answer to an upgrade request that the HTTP server of this runtime did not recognize. */
const NO_UPGRADE: Refusal = { status: 400, body: "the request cannot be upgraded" };

function toRequest({ method = "", url = "", headers }: IncomingMessage): HttpRequest {
  return { method, url, headers: headers as HttpRequest["headers"] };
}

function contentOf(body: string): Record<string, string> {
  return {
    ...(body !== "" && { "content-type": "text/plain; charset=utf-8" }),
    "content-length": `${Buffer.byteLength(body)}`,
  };
}

/** Refuses an upgrade. An upgrade has no response object, so this writes the answer itself. */
export function answer(socket: Duplex, { status, body, headers }: Refusal): void {
  const lines = Object.entries({ ...headers, ...contentOf(body), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${body}`);
}
