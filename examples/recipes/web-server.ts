/** Serves a Web handler, `Request` in and `Response` out, with the HTTP server of Node. */
// #region code
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export type WebHandler = (request: Request) => Promise<Response>;

export interface WebServer extends AsyncDisposable {
  readonly url: string;
}

/** Binds to loopback unless you pass a host. A handler's `request.signal` aborts when the caller disconnects. */
export async function serveWeb(handle: WebHandler, port = 0, host = "127.0.0.1"): Promise<WebServer> {
  const server = createServer((incoming, outgoing) => void answer(handle, incoming, outgoing));
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  handle: WebHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  try {
    const { status, headers, body } = await handle(await webRequest(incoming, left.signal));
    outgoing.writeHead(status, Object.fromEntries(headers));
    if (body === null) outgoing.end();
    else await pipeline(Readable.fromWeb(body as never), outgoing);
  } catch {
    // The caller gets no details: an error may quote what others wrote.
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
}

const MOST_BYTES = 1_000_000;

async function webRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = bytes > 0 ? { body: Buffer.concat(chunks) } : {};
  return new Request(new URL(url, "http://localhost"), { method, headers: lines, signal, ...body });
}
// #endregion code
