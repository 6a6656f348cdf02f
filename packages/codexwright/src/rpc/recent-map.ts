/**
 * A map that holds at most `limit` entries and drops the one that was set longest ago.
 *
 * For everything that is keyed by an id that the other side chooses: without a limit, ids that are never used
 * again would cost memory until the process ends.
 */
export class RecentMap<K, V> {
  readonly #limit: number;
  readonly #entries = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Sets the entry and makes it the newest. Returns the entry that had to go, if any. */
  set(key: K, value: V): readonly [K, V] | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return undefined;
    const [oldest] = this.#entries;
    if (oldest) this.#entries.delete(oldest[0]);
    return oldest;
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }
}
