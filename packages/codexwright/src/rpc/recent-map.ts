interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/**
 * A map that holds at most `limit` entries and drops the least recently set ones.
 *
 * Use it whenever the peer chooses the keys: without a limit, keys that are never used again would use memory until the
 * process ends. If the peer also chooses the size of the entries, pass a weight. The newest entry always stays, and
 * older entries are dropped while the total weight exceeds `most`.
 */
export class RecentMap<K, V> {
  readonly #limit: number;
  readonly #most: number;
  readonly #entries = new Map<K, Entry<V>>();
  #weight = 0;

  constructor(limit: number, most = 0) {
    this.#limit = limit;
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Sets the entry and makes it the newest. */
  set(key: K, value: V, weight = 0): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      const fits = this.#entries.size <= this.#limit && this.#weight <= this.#most;
      if (fits || oldest === key) return;
      this.delete(oldest);
    }
  }

  *values(): IterableIterator<V> {
    for (const { value } of this.#entries.values()) yield value;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  delete(key: K): boolean {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    return this.#entries.delete(key);
  }
}
