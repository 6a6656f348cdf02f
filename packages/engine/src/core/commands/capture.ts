/** A piece of the output of one stream. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Whether later output of the stream is dropped. */
  readonly capReached: boolean;
}

/** Limits the output of one stream. */
export class StreamCap {
  readonly #cap: number;
  #seen = 0;
  #reached = false;

  constructor(cap: number) {
    this.#cap = cap;
  }

  get reached(): boolean {
    return this.#reached;
  }

  /** Returns the part of the bytes that is within the cap, or `undefined` if the cap was reached before. */
  take(bytes: Uint8Array): Piece | undefined {
    if (this.#reached) return undefined;
    const part = bytes.subarray(0, this.#cap - this.#seen);
    this.#seen += part.length;
    this.#reached = this.#seen >= this.#cap;
    return { bytes: part, capReached: this.#reached };
  }
}

const FIRST_SIZE = 8 * 1024;

/** Collects the beginning of a stream, up to its cap. */
export class Capture {
  readonly #cap: StreamCap;
  #bytes = new Uint8Array(0);
  #size = 0;

  constructor(cap: number) {
    this.#cap = new StreamCap(cap);
  }

  get capReached(): boolean {
    return this.#cap.reached;
  }

  /** The output as text. Bytes that are not UTF-8 become replacement characters. */
  get text(): string {
    // A character that the cap has cut is dropped.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return decoder.decode(this.#bytes.subarray(0, this.#size), { stream: this.capReached });
  }

  add(bytes: Uint8Array): void {
    const piece = this.#cap.take(bytes)?.bytes;
    if (!piece) return;
    const size = this.#size + piece.length;
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, this.#bytes.length * 2, FIRST_SIZE));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#size);
    this.#size = size;
  }
}
