import { McpError } from "./mcp-error.ts";

const MEBIBYTE = 1024 * 1024;
/** The longest message of a server. */
const MAX_LINE = 32 * MEBIBYTE;
/** The most bytes that a server may send before the next message of ours. */
const MAX_UNASKED = 64 * MEBIBYTE;

/** Cuts the output of a server into lines, in bounded memory. Throws if the server sends too much. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;
  #unasked = 0;

  /** The server may send its share again. */
  allow(): void {
    this.#unasked = 0;
  }

  *read(bytes: Buffer): Generator<string> {
    this.#unasked += bytes.length;
    if (this.#unasked > MAX_UNASKED) {
      throw new McpError("flood", `the server sent more than ${MAX_UNASKED / MEBIBYTE} MiB for one message`);
    }
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      this.#add(bytes.subarray(from, end));
      yield this.#line();
      from = end + 1;
    }
    this.#add(bytes.subarray(from));
  }

  #add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MAX_LINE) {
      throw new McpError("flood", `the server sent a message longer than ${MAX_LINE / MEBIBYTE} MiB`);
    }
    if (bytes.length > 0) this.#parts.push(bytes);
  }

  #line(): string {
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}
