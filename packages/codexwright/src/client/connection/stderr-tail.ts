/** How many characters of stderr are kept. */
const LONGEST = 8192;

/** Keeps the last stderr output of a server from its start, because listeners may be added later. */
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
