import type { CloseReason } from "./errors.ts";
import type { Transport, TransportSink } from "./transport.ts";

/**
 * Returns two linked transports in one process. Each end reads the lines that the other end sends, in order. Reading
 * never happens inside the call to `send`. Closing either end closes both.
 */
export function memoryPair(): [Transport, Transport] {
  const a = new MemoryEnd();
  const b = new MemoryEnd();
  a.link(b);
  b.link(a);
  return [a, b];
}

class MemoryEnd implements Transport {
  #peer: MemoryEnd | undefined;
  #sink: TransportSink | undefined;
  #inbox: string[] = [];
  /** Settles when all lines in the inbox have been read. All these lines share one promise. */
  #reading: Promise<void> | undefined;
  #read: () => void = () => {};
  #scheduled = false;
  #closing: CloseReason | undefined;
  #closed = false;

  link(peer: MemoryEnd): void {
    this.#peer = peer;
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
    this.#schedule();
  }

  send(text: string): Promise<void> {
    if (this.#closing) return Promise.reject(new Error("the memory transport is closed"));
    return this.#peer?.receive(text) ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.end({ message: "the connection was closed by this end" });
    this.#peer?.end({ message: "the connection was closed by the other end" });
  }

  /** Resolves when the line has been read, so that a writer knows whether the other end reads. */
  receive(text: string): Promise<void> | undefined {
    if (this.#closing) return undefined;
    this.#inbox.push(text);
    this.#schedule();
    this.#reading ??= new Promise((resolve) => (this.#read = resolve));
    return this.#reading;
  }

  end(reason: CloseReason): void {
    if (this.#closing) return;
    this.#closing = reason;
    this.#read();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || !this.#sink) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#scheduled = false;
    const sink = this.#sink;
    if (!sink) return;
    const lines = this.#inbox;
    this.#inbox = [];
    this.#reading = undefined;
    this.#read();
    for (const line of lines) sink.line(line);
    if (this.#closing && !this.#closed && this.#inbox.length === 0) {
      this.#closed = true;
      sink.closed(this.#closing);
    }
  }
}
