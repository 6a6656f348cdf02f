import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A connection to a server that can be cut while both ends stay alive. */
export interface TcpProxy extends AsyncDisposable {
  /** The server's URL, with the proxy's port. */
  readonly url: string;
  /** Breaks the current connections. Later connections go through. */
  cut(): void;
  /**
   * Breaks the current connections after this many more bytes from the server, possibly in the middle of a
   * frame. The returned function cancels this, and returns whether it had already happened.
   */
  cutAfter(bytes: number): () => boolean;
  /** Stops passing data in both directions, without closing anything. */
  freeze(): void;
}

export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let bytesLeft = Infinity;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    far.on("data", ({ length }) => {
      bytesLeft -= length;
      if (bytesLeft <= 0) cut();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    bytesLeft = Infinity;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    cutAfter(bytes) {
      bytesLeft = bytes;
      return () => {
        const done = bytesLeft === Infinity;
        bytesLeft = Infinity;
        return done;
      };
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
