import type { WireMessage } from "codexwright/rpc";
import type { Transport, TransportSink } from "codexwright/rpc";
import type { Speech } from "./dialect.ts";

/** The server's end of a channel that uses an older protocol. */
export class DialectTransport implements Transport {
  readonly #inner: Transport;
  readonly #speech: Speech;
  readonly #asked = new Map<unknown, string>();

  constructor(inner: Transport, speech: Speech) {
    this.#inner = inner;
    this.#speech = speech;
  }

  open(sink: TransportSink): void {
    this.#inner.open({
      line: (text) => sink.line(this.#heard(text)),
      closed: (reason) => sink.closed(reason),
    });
  }

  async send(text: string): Promise<void> {
    const message = JSON.parse(text) as WireMessage;
    const method = message.method === undefined ? this.#asked.get(message.id) : undefined;
    if (message.method === undefined) this.#asked.delete(message.id);
    const own = this.#speech.said(message, method);
    if (own) await this.#inner.send(JSON.stringify(own));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #heard(text: string): string {
    let message: WireMessage;
    try {
      message = JSON.parse(text) as WireMessage;
    } catch {
      return text;
    }
    if (message?.method !== undefined && message.id !== undefined)
      this.#asked.set(message.id, message.method);
    return message?.method === undefined ? text : JSON.stringify(this.#speech.heard(message));
  }
}
