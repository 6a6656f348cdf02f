import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { FleetError } from "../domain/errors.ts";
import { makeApp } from "./app.ts";
import { isLoopback } from "./guard.ts";
import type { HttpLimits, HttpOptions, HttpServer } from "./port.ts";

const DEFAULTS: Required<HttpLimits> = {
  readMs: 5_000,
  explainMs: 30_000,
  headMs: 10_000,
  idleMs: 45_000,
  heartbeatMs: 15_000,
  maxStreams: 64,
};

const MOST_CONNECTIONS = 256;
/** How long `close` waits for answers that are under way. */
const CLOSE_MS = 500;

/** Serves the API and the page of a fleet. Rejects with `listen_failed`. */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...DEFAULTS, ...options.limits };
  const closing = new AbortController();
  const door = { token: options.token, isLoopback: isLoopback(options.host) };
  const app = makeApp({ fleet: options.fleet, door, limits, closing: closing.signal });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      maxHeaderSize: 16 * 1024,
      headersTimeout: limits.headMs,
      requestTimeout: limits.headMs * 1.5,
      keepAliveTimeout: Math.min(5_000, limits.idleMs),
      connectionsCheckingInterval: Math.min(1_000, limits.headMs),
    },
  }) as Server;
  server.maxConnections = MOST_CONNECTIONS;
  // Ends connections whose reader has stopped, also in the middle of an answer.
  server.setTimeout(limits.idleMs);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= end(server, closing));
  return { url: urlOf(options.host, port), close, [Symbol.asyncDispose]: close };
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      reject(new FleetError("listen_failed", `cannot listen on ${host}:${port}: ${cause.code}`, { cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** Streams end first. Answers that are under way get a moment, and connections that remain are cut. */
async function end(server: Server, closing: AbortController): Promise<void> {
  closing.abort();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await closed;
  clearTimeout(timer);
}
