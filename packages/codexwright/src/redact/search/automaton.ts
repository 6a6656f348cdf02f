import { Edges } from "./edges.ts";

/** Number of characters that are hashed. The hash rules out most positions at which no text can begin. */
const HEAD = 3;
const MARKS = 1 << 16;

/** Counts the work of automata. One step is one edge lookup. */
export interface Counter {
  steps: number;
}

/**
 * Finds many texts in one pass (Aho-Corasick), with at most two steps per character, regardless of how much the texts
 * have in common. Texts cannot be added later; see {@link TextIndex}.
 */
export class Automaton {
  readonly #edges: Edges;
  /** For each state, the state of its longest proper suffix. */
  readonly #fail: Int32Array;
  readonly #depth: Int32Array;
  /** For each state, the number of the longest text that ends there, counted from 1. It is 0 if no text ends there. */
  readonly #text: Int32Array;
  readonly #hasEdge: Uint8Array;
  readonly #marks = new Uint8Array(MARKS);
  readonly #lengths: Int32Array;
  readonly #fold: boolean;
  readonly #counter: Counter;
  readonly longest: number;

  /** @param fold if true, `A` to `Z` in a searched text count as `a` to `z`; `texts` must then be in lower case */
  constructor(texts: readonly string[], counter: Counter, fold = false) {
    const size = texts.reduce((sum, { length }) => sum + length, 1);
    const parent = new Int32Array(size);
    const character = new Uint16Array(size);
    const depth = new Int32Array(size);
    const ends = new Int32Array(size);
    this.#edges = new Edges(size);
    this.#counter = counter;
    this.#fold = fold;
    this.#lengths = Int32Array.from(texts, ({ length }) => length);
    this.longest = this.#lengths.reduce((most, each) => Math.max(most, each), 0);
    let states = 1;
    for (const [index, text] of texts.entries()) {
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        counter.steps++;
        const code = text.charCodeAt(at);
        let next = this.#edges.get(state, code);
        if (next === 0) {
          next = states++;
          this.#edges.add(state, code, next);
          parent[next] = state;
          character[next] = code;
          depth[next] = at + 1;
        }
        state = next;
      }
      ends[state] = index + 1;
      this.#mark(text);
    }
    this.#depth = depth.slice(0, states);
    this.#text = ends.slice(0, states);
    this.#fail = new Int32Array(states);
    this.#hasEdge = new Uint8Array(states);
    this.#link(parent, character);
  }

  /** The size in bytes, without the texts. */
  get bytes(): number {
    const arrays = [this.#fail, this.#depth, this.#text, this.#hasEdge, this.#marks, this.#lengths];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#edges.bytes);
  }

  /** Calls `found` for each place at which a text ends, with the index of the longest text that ends there. */
  each(text: string, found: (index: number, start: number, end: number) => void): void {
    this.#walk(text, 0, (state, end) => {
      const index = (this.#text[state] ?? 0) - 1;
      if (index >= 0) found(index, end - (this.#lengths[index] ?? 0), end);
    });
  }

  /** Returns how many characters at the end of `text` are the beginning of one of the texts. */
  openEnd(text: string): number {
    let state = this.#walk(text, Math.max(0, text.length - this.longest), () => {});
    while (state !== 0 && this.#hasEdge[state] === 0) state = this.#fail[state] ?? 0;
    return this.#depth[state] ?? 0;
  }

  /** Returns the shorter texts that end at the same position as this text, longest first. */
  shorter(text: string): number[] {
    let state = 0;
    for (let at = 0; at < text.length; at++) state = this.#edges.get(state, text.charCodeAt(at));
    const found: number[] = [];
    for (let at = this.#fail[state] ?? 0; at !== 0; at = this.#fail[at] ?? 0) {
      const index = (this.#text[at] ?? 0) - 1;
      if (index >= 0 && found.at(-1) !== index) found.push(index);
    }
    return found;
  }

  #walk(text: string, from: number, visit: (state: number, end: number) => void): number {
    let state = 0;
    let steps = 0;
    for (let at = from; at < text.length; at++) {
      // `#marks` has the hashes of all beginnings, so the search can skip most positions.
      if (state === 0 && at + HEAD <= text.length && this.#marks[this.#markAt(text, at)] === 0) continue;
      const code = this.#code(text, at);
      let next = this.#edges.get(state, code);
      steps++;
      while (next === 0 && state !== 0) {
        state = this.#fail[state] ?? 0;
        next = this.#edges.get(state, code);
        steps++;
      }
      state = next;
      if (state !== 0) visit(state, at + 1);
    }
    this.#counter.steps += steps;
    return state;
  }

  /** Sets the suffix of each state, shallow states first. */
  #link(parent: Int32Array, character: Uint16Array): void {
    for (const state of byDepth(this.#depth, this.longest)) {
      if (state === 0) continue;
      const above = parent[state] ?? 0;
      this.#hasEdge[above] = 1;
      if (above !== 0) {
        const code = character[state] ?? 0;
        let suffix = this.#fail[above] ?? 0;
        let next = this.#edges.get(suffix, code);
        this.#counter.steps++;
        while (next === 0 && suffix !== 0) {
          suffix = this.#fail[suffix] ?? 0;
          next = this.#edges.get(suffix, code);
          this.#counter.steps++;
        }
        this.#fail[state] = next;
      }
      if (this.#text[state] === 0) this.#text[state] = this.#text[this.#fail[state] ?? 0] ?? 0;
    }
  }

  /**
   * Marks the hash of the beginning of a text. A text that is shorter than HEAD has no such hash, so it disables
   * skipping.
   */
  #mark(text: string): void {
    if (text.length >= HEAD) this.#marks[this.#markAt(text, 0)] = 1;
    else this.#marks.fill(1);
  }

  #markAt(text: string, at: number): number {
    return (
      (this.#code(text, at) * 961 + this.#code(text, at + 1) * 31 + this.#code(text, at + 2)) & (MARKS - 1)
    );
  }

  #code(text: string, at: number): number {
    const code = text.charCodeAt(at);
    return this.#fold && code >= 65 && code <= 90 ? code + 32 : code;
  }
}

/** Returns all states, sorted by depth. */
function byDepth(depth: Int32Array, longest: number): Int32Array {
  const places = new Int32Array(longest + 2);
  for (const each of depth) places[each + 1] = (places[each + 1] ?? 0) + 1;
  for (let at = 1; at < places.length; at++) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
  const order = new Int32Array(depth.length);
  for (const [state, each] of depth.entries()) {
    const place = places[each] ?? 0;
    order[place] = state;
    places[each] = place + 1;
  }
  return order;
}
