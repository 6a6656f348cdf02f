import type { CloseReason } from "../rpc/errors.ts";
import { LineTooLongError } from "../rpc/line-too-long.ts";
import type { Transport, TransportSink } from "../rpc/transport.ts";

/** How long to wait for the closing handshake of the peer. */
export const GRACE_MS = 1_000;

/**
 * The meanings of close codes that arrive without a reason. The package `ws` sends such codes when it refuses a
 * message.
 */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [1002, "it reported that this end broke the websocket protocol"],
  [1003, "it does not accept messages of this kind"],
  [1007, "it reported that a message was not UTF-8"],
  [1008, "it refused a message, for example one with too many fragments"],
  [1009, "it refused a message that is too long"],
]);

/** The operations of a transport on its socket. */
export interface Wire {
  /** Resolves when the socket has accepted the text; rejects if the text cannot be sent. */
  write(text: string): Promise<void>;
  /** Starts the closing handshake. */
  end(): void;
  /** Ends the connection immediately, without a handshake. */
  cut(): void;
}

/**
 * Sends and receives lines as text frames of an open websocket. The owner of the socket passes the received frames in.
 *
 * The sink is called only after `open` has returned, so that the caller can store this transport first.
 */
export class SocketTransport implements Transport {
  readonly #peer: string;
  readonly #wire: Wire;
  /** Lines that arrived before `open`. */
  #waiting: string[] | undefined = [];
  #sink: TransportSink | undefined;
  #cause: unknown;
  #why: string | undefined;
  #closing: Promise<void> | undefined;
  #ended: CloseReason | undefined;
  #tellDone: () => void = () => {};
  /** Resolves when the socket has ended. */
  readonly done: Promise<void> = new Promise((resolve) => {
    this.#tellDone = resolve;
  });

  /** @param peer the name of the other end in messages */
  constructor(peer: string, wire: Wire) {
    this.#peer = peer;
    this.#wire = wire;
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
    queueMicrotask(() => {
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const text of waiting) sink.line(text);
      if (this.#ended) sink.closed(this.#ended);
    });
  }

  send(text: string): Promise<void> {
    if (this.#ended || this.#closing)
      return Promise.reject(new Error(`the connection to ${this.#peer} is closed`));
    return this.#wire.write(text);
  }

  close(): Promise<void> {
    this.#closing ??= this.#goodbye();
    return this.#closing;
  }

  /** Ends the connection without a closing handshake. Only our own end learns the reason. */
  giveUp(why: string): void {
    this.#why ??= why;
    this.#wire.cut();
  }

  /**
   * Called when the socket refused a message and is about to end. Our own end learns the reason immediately, because
   * the peer may delay the closing handshake.
   */
  refused(why: string, cause: unknown): void {
    this.#why ??= `the connection to ${this.#peer} was closed by this end: ${why}`;
    this.#cause ??= cause;
    this.#tellEnd(1006, "");
  }

  /** Like `refused`, for a message that is longer than the limit. */
  tooLong(maxBytes: number, cause?: unknown): void {
    const error = new LineTooLongError(
      `the connection to ${this.#peer} was closed by this end: a message`,
      maxBytes,
      cause,
    );
    this.#why ??= error.message;
    this.#cause ??= error;
    this.#tellEnd(1006, "");
  }

  /** Called when a text frame has arrived. */
  received(text: string): void {
    const line = text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
    if (line !== "") this.#deliver(line);
  }

  /** Called when a binary frame has arrived. It is not a message, so it is handled like a line that is not JSON. */
  receivedBinary(bytes: number): void {
    this.#deliver(`<binary frame of ${bytes} bytes>`);
  }

  /** Called when an error occurred. The end of the socket is reported separately. */
  failed(cause: unknown): void {
    this.#cause ??= cause;
  }

  /** Called when the socket has ended. */
  ended(code: number, text: string): void {
    this.#tellEnd(code, text);
    this.#tellDone();
  }

  #tellEnd(code: number, text: string): void {
    if (this.#ended) return;
    this.#ended = {
      message: this.#describe(code, text),
      ...(this.#cause !== undefined && { cause: this.#cause }),
    };
    if (!this.#waiting) this.#sink?.closed(this.#ended);
  }

  async #goodbye(): Promise<void> {
    const cut = (): void => {
      this.#wire.cut();
      this.ended(1006, "");
    };
    if (this.#ended) return cut();
    this.#wire.end();
    const timer = setTimeout(cut, GRACE_MS);
    await this.done;
    clearTimeout(timer);
  }

  #deliver(line: string): void {
    if (this.#ended) return;
    if (this.#waiting) this.#waiting.push(line);
    else this.#sink?.line(line);
  }

  #describe(code: number, text: string): string {
    if (this.#why !== undefined) return this.#why;
    if (this.#closing) return "the connection was closed by this end";
    // 1006 means that there was no closing handshake, and 1005 that the handshake had no code.
    const words = text || MEANINGS.get(code);
    const said = code === 1006 || code === 1005 ? "" : ` (${code}${words ? ` ${words}` : ""})`;
    return `the connection to ${this.#peer} was closed by the other end${said}`;
  }
}
