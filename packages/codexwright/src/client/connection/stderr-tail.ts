/** Characters of stderr that are kept. */
const LONGEST = 8192;

/** Keeps the end of what a server writes to stderr, from its start on: listeners may come later. */
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
