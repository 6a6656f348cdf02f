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

/** Takes over the socket of a request that may become a connection. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * An HTTP server that answers probes and lets through those who may connect. It does not listen yet.
 *
 * A socket has one request. Every answer but an upgrade closes it, and nothing that follows is answered: a proxy in
 * front may have taken those bytes for something else. Who becomes a connection is to be told to `strangers`.
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
  // By default Node drops what follows the 2,000th header, also an `Origin` or the length of a body. The size of a head
  // is bounded anyway.
  server.maxHeadersCount = 0;
  server.on("connection", (socket) => strangers.add(socket));
  // By default Node asks for the body, or answers by itself and reads on.
  server.on("checkContinue", respond);
  server.on("checkExpectation", respond);
  server.on("upgrade", (request, socket, head) => {
    // Whoever hangs up while we look at its token is nobody's error.
    socket.on("error", () => socket.destroy());
    if (!isFirst(request.socket)) return;
    void (async () => {
      const refusal = await authorizeUpgrade(toRequest(request), policy);
      // The server may have been closed while the token was looked at.
      if (!server.listening) socket.destroy();
      if (socket.destroyed) return;
      if (refusal) answer(socket, refusal);
      else upgrade(request, socket, head);
    })();
  });
  return server;
}

/** For a request that asks for a connection in a way that this runtime's HTTP server did not take for one. */
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

/** Refuses an upgrade. It has no response object: the answer is written by hand. */
export function answer(socket: Duplex, { status, body, headers }: Refusal): void {
  const lines = Object.entries({ ...headers, ...contentOf(body), connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${body}`);
}
