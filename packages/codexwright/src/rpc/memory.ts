import type { CloseReason } from "./errors.ts";
import type { Transport, TransportSink } from "./transport.ts";

/**
 * Two linked transports in one process: what one end sends, the other reads, in order and never
 * inside the call to `send`. Closing either end closes both.
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

  async send(text: string): Promise<void> {
    if (this.#closing) throw new Error("the memory transport is closed");
    this.#peer?.receive(text);
  }

  async close(): Promise<void> {
    this.end({ message: "the connection was closed by this end" });
    this.#peer?.end({ message: "the connection was closed by the other end" });
  }

  receive(text: string): void {
    if (this.#closing) return;
    this.#inbox.push(text);
    this.#schedule();
  }

  end(reason: CloseReason): void {
    if (this.#closing) return;
    this.#closing = reason;
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
    for (const line of lines) sink.line(line);
    if (this.#closing && !this.#closed && this.#inbox.length === 0) {
      this.#closed = true;
      sink.closed(this.#closing);
    }
  }
}
