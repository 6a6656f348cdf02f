import type { CloseReason } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Added to the size of each message: about the memory that an unsent line costs in addition to its text. */
const MESSAGE_BYTES = 1_024;

/** Callbacks for failures to send. Both must return immediately. */
export interface OutboxOwner {
  /** A line could not be written: the channel is broken. */
  broke(cause: unknown): void;
  /** The peer does not read. The owner closes the channel with this reason. */
  full(reason: CloseReason): void;
}

/**
 * Sends the messages that a peer causes us to send, such as answers. Limits how many bytes of these messages the peer
 * may leave unread.
 *
 * When the limit is reached, the channel is closed. The alternative would be to stop reading from the peer. That is not
 * possible on every channel, and two peers that both stop reading would wait for each other forever. If the peer has
 * read all earlier lines, the next line may have any size.
 */
export class Outbox {
  readonly #transport: Transport;
  readonly #owner: OutboxOwner;
  readonly #most: number;
  #unsent = 0;

  /** @param most maximum number of bytes that may wait for a peer that does not read */
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
