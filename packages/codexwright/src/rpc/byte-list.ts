interface Block {
  readonly bytes: Uint8Array;
  used: number;
}

/**
 * Chunks smaller than this share a block, because a separate array for each chunk would cost more memory than its
 * bytes.
 */
const SMALL = 2_048;
const BLOCK = 8_192;

/**
 * A list of bytes in the order in which they were appended. Small chunks share a block, so that memory stays in
 * proportion to the number of bytes.
 */
export class ByteList {
  #blocks: Block[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#length += chunk.length;
    const last = this.#blocks.at(-1);
    if (last && last.bytes.length - last.used >= chunk.length) {
      last.bytes.set(chunk, last.used);
      last.used += chunk.length;
    } else if (chunk.length >= SMALL) {
      this.#blocks.push({ bytes: chunk, used: chunk.length });
    } else {
      const bytes = new Uint8Array(BLOCK);
      bytes.set(chunk);
      this.#blocks.push({ bytes, used: chunk.length });
    }
  }

  /** Returns views of the bytes without copying. The views do not include chunks that are appended later. */
  views(): Uint8Array[] {
    return this.#blocks.map(({ bytes, used }) => bytes.subarray(0, used));
  }

  /** Returns all bytes in one array, which is valid until the next append. */
  joined(): Uint8Array {
    const [only, ...others] = this.#blocks;
    if (only && others.length === 0) return only.bytes.subarray(0, only.used);
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const view of this.views()) {
      all.set(view, at);
      at += view.length;
    }
    return all;
  }

  /** Returns all bytes and clears the list. */
  take(): Uint8Array[] {
    const taken = this.views();
    this.clear();
    return taken;
  }

  clear(): void {
    this.#blocks = [];
    this.#length = 0;
  }
}
