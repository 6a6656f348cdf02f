import type { Server } from "node:http";
import type { SocketTransport } from "../websocket/socket-transport.ts";

/** A server that accepts connections. */
export interface Listener extends AsyncDisposable {
  /** Where it listens, with the port that was free. */
  readonly url: string;
  /** Resolves when it has ended: by `close()`, or on stdio with stdin. */
  readonly closed: Promise<void>;
  /** Accepts nobody more and closes the connections. Safe to call twice. */
  close(): Promise<void>;
}

/** A server on a websocket or a unix socket, and the connections it has accepted. */
export class SocketListener implements Listener {
  readonly url: string;
  readonly closed: Promise<void>;
  readonly #server: Server;
  readonly #open: ReadonlySet<SocketTransport>;
  readonly #removed: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(url: string, server: Server, open: ReadonlySet<SocketTransport>, removed: () => Promise<void>) {
    this.url = url;
    this.#server = server;
    this.#open = open;
    this.#removed = removed;
    this.closed = new Promise((resolve) => {
      server.once("close", resolve);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await this.#removed();
    this.#server.close();
    // Probes that are kept alive, and requests that never end.
    this.#server.closeAllConnections();
    await Promise.all([...this.#open].map((transport) => transport.close()));
    await this.closed;
  }
}
