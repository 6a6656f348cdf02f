import type { CloseReason } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Counted for each message besides its text: about as much as an unsent line costs in memory. */
const MESSAGE_BYTES = 1_024;

/** What the owner of an outbox does when it cannot send. Both return at once. */
export interface OutboxOwner {
  /** A line could not be written: the channel is broken. */
  broke(cause: unknown): void;
  /** The peer does not read: the owner closes the channel with this reason. */
  full(reason: CloseReason): void;
}

/**
 * The lines that a peer causes us to send, and the bound on those that it has not taken.
 *
 * Closing is the one way that works on every channel: not all of them can stop reading, and two peers that both
 * stop reading would wait for each other for ever. A line of any size may be sent to a peer that has taken
 * the others.
 */
export class Outbox {
  readonly #transport: Transport;
  readonly #owner: OutboxOwner;
  readonly #most: number;
  #unsent = 0;

  /** @param most bytes that may wait for a peer that does not read */
  constructor(transport: Transport, owner: OutboxOwner, most: number) {
    this.#transport = transport;
    this.#owner = owner;
    this.#most = most;
  }

  send(text: string): void {
    if (this.#unsent > this.#most) {
      return this.#owner.full({
        message: `the other end was cut off: it does not read fast enough, and more than ${this.#most} bytes wait for it`,
      });
    }
    const size = text.length + MESSAGE_BYTES;
    this.#unsent += size;
    try {
      this.#transport.send(text).then(
        () => (this.#unsent -= size),
        (cause: unknown) => this.#owner.broke(cause),
      );
    } catch (cause) {
      this.#owner.broke(cause);
    }
  }
}
