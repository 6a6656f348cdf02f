const LF = 0x0a;

/**
 * Cuts a byte stream into lines of text.
 *
 * Frames on the byte 0x0A alone: U+2028, U+2029 and a lone CR are text. UTF-8 never has 0x0A inside a
 * longer character, so everything up to a chunk's last line feed can be decoded at once, and a character
 * split between chunks is whole again before it is decoded. An unfinished line is kept as a list of chunks
 * and joined once, so a line of any length costs time in proportion to its length.
 */
export class LineDecoder {
  readonly #line: (text: string) => void;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #unfinished: Uint8Array[] = [];
  #waiting = 0;

  constructor(line: (text: string) => void) {
    this.#line = line;
  }

  /** Bytes of a line that has not ended yet: for whoever does not want to keep them for ever. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes the next bytes; calls back for every line they finish. The chunk must not be reused. */
  push(chunk: Uint8Array): void {
    const last = chunk.lastIndexOf(LF);
    if (last === -1) {
      if (chunk.length > 0) this.#keep(chunk);
      return;
    }
    let start = 0;
    if (this.#unfinished.length > 0) {
      const first = chunk.indexOf(LF);
      this.#unfinished.push(chunk.subarray(0, first));
      this.#flush();
      start = first + 1;
    }
    if (start <= last) this.#emitAll(this.#decoder.decode(chunk.subarray(start, last)));
    if (last + 1 < chunk.length) this.#keep(chunk.subarray(last + 1));
  }

  /** Ends the stream: bytes after the last line feed are a line of their own. */
  end(): void {
    if (this.#unfinished.length > 0) this.#flush();
  }

  #keep(chunk: Uint8Array): void {
    this.#unfinished.push(chunk);
    this.#waiting += chunk.length;
  }

  #flush(): void {
    const parts = this.#unfinished;
    this.#unfinished = [];
    this.#waiting = 0;
    this.#emit(this.#decoder.decode(parts.length === 1 ? parts[0] : concat(parts)));
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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
