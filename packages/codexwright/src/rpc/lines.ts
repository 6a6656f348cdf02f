import { ByteList } from "./byte-list.ts";

const LF = 0x0a;

/**
 * Splits a byte stream into lines of text.
 *
 * Only the byte 0x0A ends a line: U+2028, U+2029 and a lone CR are text. In UTF-8, the byte 0x0A is never part of a
 * longer character. So everything up to the last line feed of a chunk can be decoded in one step. The bytes after it
 * are kept and joined once, when the line is complete. So a character that is split between chunks is decoded
 * correctly, and a line costs time and memory in proportion to its length, however small its chunks are.
 */
export class LineDecoder {
  readonly #line: (text: string) => void;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #unfinished = new ByteList();
  readonly #maxBytes: number;
  #isTooLong = false;

  /** @param maxBytes the longest line, without its line feed */
  constructor(line: (text: string) => void, maxBytes: number = Infinity) {
    this.#line = line;
    this.#maxBytes = maxBytes;
  }

  /** Whether a line was too long. The decoder has dropped that line, and ignores everything after it. */
  get isTooLong(): boolean {
    return this.#isTooLong;
  }

  /** Number of bytes in the unfinished line, so that the caller can limit the length of a line. */
  get waiting(): number {
    return this.#unfinished.length;
  }

  /** Takes the next bytes, and calls back for each line that is now complete. The caller must not reuse the chunk. */
  push(chunk: Uint8Array): void {
    if (this.#isTooLong) return;
    const last = chunk.lastIndexOf(LF);
    if (last === -1) return void this.#hold(chunk);
    let start = 0;
    if (this.#unfinished.length > 0) {
      const first = chunk.indexOf(LF);
      if (!this.#hold(chunk.subarray(0, first))) return;
      this.#flush();
      start = first + 1;
    }
    if (start <= last) {
      const lines = chunk.subarray(start, last);
      // No line is longer than all lines together.
      if (lines.length <= this.#maxBytes) this.#emitAll(this.#decoder.decode(lines));
      else this.#emitEach(lines);
    }
    this.#hold(chunk.subarray(last + 1));
  }

  /** Ends the stream. Bytes after the last line feed become the last line. */
  end(): void {
    if (this.#unfinished.length > 0) this.#flush();
  }

  /** Appends to the unfinished line. Returns false if it is too long. */
  #hold(bytes: Uint8Array): boolean {
    if (this.#isTooLong) return false;
    if (this.#unfinished.length + bytes.length <= this.#maxBytes) {
      this.#unfinished.append(bytes);
      return true;
    }
    this.#isTooLong = true;
    this.#unfinished.clear();
    return false;
  }

  /** Emits lines until one is too long. */
  #emitEach(lines: Uint8Array): void {
    for (let at = 0; at <= lines.length;) {
      const found = lines.indexOf(LF, at);
      const end = found === -1 ? lines.length : found;
      if (!this.#hold(lines.subarray(at, end))) return;
      this.#flush();
      at = end + 1;
    }
  }

  #flush(): void {
    const bytes = this.#unfinished.joined();
    this.#unfinished.clear();
    this.#emit(this.#decoder.decode(bytes));
  }

  #emitAll(block: string): void {
    let from = 0;
    for (let at = block.indexOf("\n"); at !== -1; at = block.indexOf("\n", from)) {
      this.#emit(block.slice(from, at));
      from = at + 1;
    }
    this.#emit(from === 0 ? block : block.slice(from));
  }

  #emit(text: string): void {
    const line = text.endsWith("\r") ? text.slice(0, -1) : text;
    if (line !== "") this.#line(line);
  }
}
