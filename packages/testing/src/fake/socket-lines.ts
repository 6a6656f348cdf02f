import type { Socket } from "node:net";
import { LineDecoder } from "codexwright/rpc";
import type { CloseReason } from "codexwright/rpc";
import type { Transport, TransportSink } from "codexwright/rpc";

/** How long the other end may take to read what was sent. */
const GRACE_MS = 1_000;

/** Lines over a socket. The first line describes the connection itself and is passed to `onHello`. */
export class SocketLines implements Transport {
  readonly #socket: Socket;
  #sink: TransportSink | undefined;
  #early: string[] = [];
  #closed: CloseReason | undefined;

  constructor(socket: Socket, onHello: (line: string) => void) {
    this.#socket = socket;
    let greeted = false;
    const decoder = new LineDecoder((line) => {
      if (greeted) return this.#line(line);
      greeted = true;
      onHello(line);
    });
    socket.on("data", (chunk: Buffer) => decoder.push(chunk));
    socket.on("error", () => {}); // `close` follows.
    socket.on("close", () => {
      this.#closed = { message: "the process ended" };
      this.#sink?.closed(this.#closed);
    });
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
    for (const line of this.#early.splice(0)) sink.line(line);
    if (this.#closed) sink.closed(this.#closed);
  }

  send(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#socket.destroyed) return resolve();
      const timer = setTimeout(() => this.#socket.destroy(), GRACE_MS);
      this.#socket.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      this.#socket.destroySoon();
    });
  }

  #line(line: string): void {
    if (this.#sink) this.#sink.line(line);
    else this.#early.push(line);
  }
}
