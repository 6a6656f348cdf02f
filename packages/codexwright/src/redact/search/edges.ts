/** The maximum fraction of the table that is in use, so that lookups stay short. */
const FULL = 0.5;

/**
 * The edges of a trie, which map `(state, character)` to a state, in a hash table of typed arrays. An edge takes 10
 * bytes, or at most four times as many while the table has few entries. The seed of the hash is random, so a peer
 * cannot choose texts whose edges collide.
 */
export class Edges {
  readonly #seed = (Math.random() * 0x1_0000_0000) | 0;
  #states: Int32Array;
  #characters: Uint16Array;
  /** The target state of each edge. 0 means that there is no edge, because no edge leads back to the root. */
  #targets: Int32Array;
  #mask: number;
  #size = 0;

  constructor(expected: number) {
    let capacity = 16;
    while (capacity * FULL < expected) capacity *= 2;
    this.#mask = capacity - 1;
    this.#states = new Int32Array(capacity);
    this.#characters = new Uint16Array(capacity);
    this.#targets = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  /** The size of the table in bytes. */
  get bytes(): number {
    return this.#states.byteLength + this.#characters.byteLength + this.#targets.byteLength;
  }

  /** Returns the target state of an edge, or 0 if there is no such edge. */
  get(state: number, character: number): number {
    for (let at = this.#slot(state, character); ; at = (at + 1) & this.#mask) {
      const target = this.#targets[at] ?? 0;
      if (target === 0 || (this.#states[at] === state && this.#characters[at] === character)) return target;
    }
  }

  /** Adds an edge that does not exist yet. */
  add(state: number, character: number, target: number): void {
    if (this.#size >= (this.#mask + 1) * FULL) this.#grow();
    this.#put(state, character, target);
    this.#size++;
  }

  #put(state: number, character: number, target: number): void {
    let at = this.#slot(state, character);
    while (this.#targets[at] !== 0) at = (at + 1) & this.#mask;
    this.#states[at] = state;
    this.#characters[at] = character;
    this.#targets[at] = target;
  }

  #grow(): void {
    const [states, characters, targets] = [this.#states, this.#characters, this.#targets];
    const capacity = targets.length * 2;
    this.#mask = capacity - 1;
    this.#states = new Int32Array(capacity);
    this.#characters = new Uint16Array(capacity);
    this.#targets = new Int32Array(capacity);
    for (let at = 0; at < targets.length; at++)
      if (targets[at] !== 0) this.#put(states[at] ?? 0, characters[at] ?? 0, targets[at] ?? 0);
  }

  #slot(state: number, character: number): number {
    const hash = Math.imul(Math.imul(state, 0x9e37_79b1) ^ character ^ this.#seed, 0x85eb_ca6b);
    return (hash ^ (hash >>> 15)) & this.#mask;
  }
}
