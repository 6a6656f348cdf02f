/** So much is left behind before it is cleared away. */
const LEAST = 1_024;

/** What waits, first in, first out. Taking one costs the same however many wait, which `shift` does not promise. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #next = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const item = this.#items[this.#next];
    if (this.#next === this.#items.length) return undefined;
    // It may be garbage long before its place is.
    this.#items[this.#next++] = undefined;
    if (this.#next >= LEAST && this.#next * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#next);
      this.#next = 0;
    }
    return item;
  }
}
