import { StreamTooLargeError } from "./too-large-error.ts";

/** How many pieces are joined at once. Joining in two levels keeps the cost linear if a line arrives byte by byte. */
const JOINED = 1_024;

/** Splits text into lines that end with LF, CR or CRLF. It keeps at most one unfinished line. */
export class LineReader {
  readonly #maxLength: number;
  #small: string[] = [];
  #large: string[] = [];
  #length = 0;
  /** Whether the last character was a CR, so that an LF after it belongs to the same line end. */
  #afterCr = false;

  /** @param maxLength the longest line, in UTF-16 code units */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Returns the lines that this text completes, without their ends. */
  push(text: string): string[] {
    let rest = this.#afterCr && text.startsWith("\n") ? text.slice(1) : text;
    if (text !== "") this.#afterCr = text.endsWith("\r");
    if (rest.includes("\r")) rest = rest.replaceAll(/\r\n?/g, "\n");
    const lines = rest.split("\n");
    const last = lines.pop() ?? "";
    const [first] = lines;
    if (first !== undefined) {
      this.#check(this.#length + first.length);
      if (this.#length > 0) {
        lines[0] = this.#take() + first;
      }
      for (const line of lines) this.#check(line.length);
    }
    this.#keep(last);
    return lines;
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#length += text.length;
    this.#check(this.#length);
    this.#small.push(text);
    if (this.#small.length < JOINED) return;
    this.#large.push(this.#small.join(""));
    this.#small = [];
  }

  #take(): string {
    const text = [...this.#large, ...this.#small].join("");
    this.#small = [];
    this.#large = [];
    this.#length = 0;
    return text;
  }

  #check(length: number): void {
    if (length <= this.#maxLength) return;
    throw new StreamTooLargeError(`a line of the stream is longer than ${this.#maxLength} characters`);
  }
}
