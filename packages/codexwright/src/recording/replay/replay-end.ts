import type { CloseReason } from "../../rpc/errors.ts";
import type { Transport, TransportSink } from "../../rpc/transport.ts";

/** Receives the events of a {@link ReplayEnd}. */
export interface ReplayPeer {
  line(text: string): void;
  /** The client has closed the connection. */
  closed(): void;
}

/**
 * The client's end of a replayed connection. Events are delivered in order, and never before the call that caused them
 * has returned.
 */
export class ReplayEnd implements Transport {
  readonly #peer: ReplayPeer;
  readonly #queue: (() => void)[] = [];
  #sink: TransportSink | undefined;
  #closing = false;
  #scheduled = false;

  constructor(peer: ReplayPeer) {
    this.#peer = peer;
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
    this.#schedule();
  }

  async send(text: string): Promise<void> {
    if (this.#closing) throw new Error("the replayed connection is closed");
    this.#later(() => this.#peer.line(text));
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.end({ message: "the connection was closed by this end" });
    this.#peer.closed();
  }

  /** Sends a line to the client. */
  say(text: string): void {
    if (!this.#closing) this.#later(() => this.#sink?.line(text));
  }

  /** Closes the connection from the server's side, after everything that was sent. */
  end(reason: CloseReason): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#later(() => this.#sink?.closed(reason));
  }

  #later(act: () => void): void {
    this.#queue.push(act);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || !this.#sink) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      for (let act = this.#queue.shift(); act; act = this.#queue.shift()) act();
    });
  }
}
