import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** This port is below the range that systems assign automatically, and Codex does not use it. */
const PORT = 14_550;

/**
 * Waits until no other test on this machine uses a browser login. All Codex processes of a machine share one port for
 * logins, and a later login ends an earlier one. A listening port is the lock. The system releases it however a process
 * ends. A waiting test connects to the port, and notices when its connection ends.
 */
export async function soleBrowserLogin(port: number = PORT): Promise<AsyncDisposable> {
  for (;;) {
    const waiting = new Set<Socket>();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on("error", () => {}).on("close", () => waiting.delete(socket));
    });
    if (!(await listens(server, port))) {
      await released(port);
      continue;
    }
    return {
      async [Symbol.asyncDispose]() {
        const closed = once(server, "close");
        server.close();
        for (const socket of waiting) socket.destroy();
        await closed;
      },
    };
  }
}

/** Returns whether we hold the port now. */
async function listens(server: Server, port: number): Promise<boolean> {
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return false;
  }
}

/** Waits until the holder of the port closes it, or has already done so. */
async function released(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve) => {
    socket.on("error", () => {}).on("close", () => resolve());
    socket.resume();
  });
}
