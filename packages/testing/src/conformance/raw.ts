import type { RequestId, WireMessage } from "codexwright/rpc";
import { ConnectionClosedError, type CloseReason } from "codexwright/rpc";
import { handled } from "./handled.ts";
import type { Transport } from "codexwright/rpc";

/** A raw channel to a server, used instead of a client. Messages are sent unchanged. */
export class RawChannel {
  /** The received messages, in order. */
  readonly received: WireMessage[] = [];
  readonly #transport: Transport;
  #closed: CloseReason | undefined;
  #waiters: { wants(message: WireMessage): boolean; found(message: WireMessage): void; lost(): void }[] = [];

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.open({
      line: (text) => this.#line(text),
      closed: (reason) => {
        this.#closed = reason;
        for (const waiter of this.#waiters.splice(0)) waiter.lost();
      },
    });
  }

  /** Sends a message, or any line of text. */
  async send(message: WireMessage | string): Promise<void> {
    await this.#transport.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Sends a request and resolves with the whole answer, even if it is an error. */
  ask(id: RequestId, method: string, params?: unknown): Promise<WireMessage> {
    const answer = this.until((message) => message.id === id && message.method === undefined);
    // If sending fails, the channel is closed, and the promise for the answer rejects with that reason.
    void this.send({ id, method, ...(params !== undefined && { params }) }).catch(() => {});
    return answer;
  }

  /** Completes the handshake. */
  async initialize(capabilities: object = { experimentalApi: true }): Promise<WireMessage> {
    const clientInfo = { name: "conformance", title: null, version: "1.0.0" };
    return await this.ask("initialize", "initialize", { clientInfo, capabilities });
  }

  /** Resolves with the first message that matches, received or future. */
  until(wants: (message: WireMessage) => boolean): Promise<WireMessage> {
    const there = this.received.find(wants);
    if (there) return Promise.resolve(there);
    return handled(
      new Promise((found, reject) => {
        const lost = (): void =>
          reject(new ConnectionClosedError(this.#closed ?? { message: "closed" }, "unknown"));
        if (this.#closed) lost();
        else this.#waiters.push({ wants, found, lost });
      }),
    );
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #line(text: string): void {
    const message = JSON.parse(text) as WireMessage;
    this.received.push(message);
    const due = this.#waiters.filter((waiter) => waiter.wants(message));
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    for (const waiter of due) waiter.found(message);
  }
}
