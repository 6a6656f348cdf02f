import type { Server } from "node:http";
import type { SocketTransport } from "../websocket/socket-transport.ts";

/** A server that accepts connections. */
export interface Listener extends AsyncDisposable {
  /** The URL, with the actual port. */
  readonly url: string;
  /** Resolves when the listener has ended: after `close()`, or on stdio when stdin ends. */
  readonly closed: Promise<void>;
  /** Stops accepting clients and closes all connections. Can be called twice. */
  close(): Promise<void>;
}

/** A server on a websocket or a unix socket, with its accepted connections. */
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
    // This ends probes on kept-alive sockets and unfinished requests.
    this.#server.closeAllConnections();
    await Promise.all([...this.#open].map((transport) => transport.close()));
    await this.closed;
  }
}
