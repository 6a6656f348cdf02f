/** How many characters of stderr are kept. */
const LONGEST = 8192;

/**
 * Keeps the end of a server's stderr output. Collects it from the start of the server, because listeners may be added
 * later.
 */
export class StderrTail {
  #tail = "";

  /** The last 8,192 characters; undefined if the server wrote nothing. */
  get text(): string | undefined {
    return this.#tail === "" ? undefined : this.#tail;
  }

  add(text: string): void {
    this.#tail = (this.#tail + text).slice(-LONGEST);
  }
}
