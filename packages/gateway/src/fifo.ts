/** The array is compacted only after this many items were taken. */
const LEAST = 1_024;

/**
 * A first-in, first-out queue. Taking an item takes constant time on average, which `shift` does not
 * guarantee.
 */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #next = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  take(): T | undefined {
    const item = this.#items[this.#next];
    if (this.#next === this.#items.length) return undefined;
    // Release the item now: its slot is freed only later.
    this.#items[this.#next++] = undefined;
    if (this.#next >= LEAST && this.#next * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#next);
      this.#next = 0;
    }
    return item;
  }
}
