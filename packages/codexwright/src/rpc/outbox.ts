import type { CloseReason } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Counted for each message in addition to its text: about the memory cost of an unsent line. */
const MESSAGE_BYTES = 1_024;

/** Callbacks for failures to send. Both must return immediately. */
export interface OutboxOwner {
  /** A line could not be written: the channel is broken. */
  broke(cause: unknown): void;
  /** The peer does not read. The owner closes the channel with this reason. */
  full(reason: CloseReason): void;
}

/**
 * Sends the lines that a peer causes us to send, and limits those that it has not read.
 *
 * At the limit the channel is closed. To stop reading instead is not possible on every channel, and two peers that
 * both stop reading would wait for each other forever. A line of any size may be sent to a peer that has read the
 * earlier lines.
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
        message: `the other end was cut off: it does not read fast enough, and more than ${this.#most} bytes are waiting for it`,
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
