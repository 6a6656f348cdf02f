import type { CloseReason } from "../rpc/errors.ts";
import type { Transport, TransportSink } from "../rpc/transport.ts";

/** How long the other end may take to say goodbye. */
export const GRACE_MS = 1_000;

/** What a code means that comes without words, as from the package `ws` when it refuses a message. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [1002, "it says that this end broke the websocket protocol"],
  [1003, "it does not take messages of this kind"],
  [1007, "it says that a message was not UTF-8"],
  [1008, "it refused a message, as one of too many fragments"],
  [1009, "it refused a message that is too long"],
]);

/** What a transport does to its socket, whosever socket that is. */
export interface Wire {
  /** Resolves when the text is on its way, rejects where it will never be. */
  write(text: string): Promise<void>;
  /** Begins the closing handshake. */
  end(): void;
  /** Ends it now, without a word. */
  cut(): void;
}

/**
 * Lines over the text frames of an open websocket, one a frame. The owner of the socket says what comes in.
 *
 * Nothing is told before the reader has returned from `open`, so that it may hold what it made of this transport.
 */
export class SocketTransport implements Transport {
  readonly #peer: string;
  readonly #wire: Wire;
  /** What came before there was a reader. */
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

  /** @param peer names the other end in messages */
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

  /** Ends the connection without a word; the reason is told to our own end alone. */
  giveUp(why: string): void {
    this.#why ??= why;
    this.#wire.cut();
  }

  /**
   * The socket refused what came and is about to end. Our own end is told why at once: the other end may take its
   * time to hang up.
   */
  refused(why: string, cause: unknown): void {
    this.#why ??= `the connection to ${this.#peer} was closed by this end: ${why}`;
    this.#cause ??= cause;
    this.#tellEnd(1006, "");
  }

  /** A text frame has come. */
  received(text: string): void {
    const line = text.endsWith("\n") ? text.slice(0, text.endsWith("\r\n") ? -2 : -1) : text;
    if (line !== "") this.#deliver(line);
  }

  /** A binary frame has come, which carries no message: it goes the way of a line that is not JSON. */
  receivedBinary(bytes: number): void {
    this.#deliver(`<binary frame of ${bytes} bytes>`);
  }

  /** Something went wrong; that the socket has ended is told apart. */
  failed(cause: unknown): void {
    this.#cause ??= cause;
  }

  /** The socket has ended; nothing comes any more. */
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
    // 1006 stands for an end without a word, 1005 for one without a code.
    const words = text || MEANINGS.get(code);
    const said = code === 1006 || code === 1005 ? "" : ` (${code}${words ? ` ${words}` : ""})`;
    return `the connection to ${this.#peer} was closed by the other end${said}`;
  }
}
