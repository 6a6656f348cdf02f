/** Keeps the last `limit` bytes of a stream. */
export class ByteTail {
  readonly #limit: number;
  #kept: Buffer = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const all = chunk.length >= this.#limit ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = all.length > this.#limit ? Buffer.from(all.subarray(all.length - this.#limit)) : all;
  }

  /** Returns the bytes as text. If the limit cut a character in two, the rest of that character is left out. */
  toString(): string {
    let start = 0;
    while (start < this.#kept.length && start < 3 && ((this.#kept[start] ?? 0) & 0xc0) === 0x80) start++;
    return this.#kept.toString("utf8", start);
  }
}
