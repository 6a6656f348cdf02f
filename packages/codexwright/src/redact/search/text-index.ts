import type { Range } from "../range.ts";
import { Automaton, type Counter } from "./automaton.ts";

/** Automata with fewer characters than this are always merged, so that there are never many small ones. */
const SMALL = 1_024;
/**
 * When the total size of the smaller automata reaches this fraction of an automaton's size, they are merged with it.
 */
const PART = 1 / 3;

interface Level {
  readonly texts: readonly string[];
  readonly size: number;
  readonly automaton: Automaton;
}

/**
 * Finds thousands of known texts in a text. More known texts can be added at any time.
 *
 * The index has a few automata, each at least three times the size of the next. New texts go into a small automaton.
 * When it reaches a third of the size of the next larger one, the two are merged. So two numbers grow only with the
 * logarithm of the total size: how often a text is built into an automaton, and how many automata a search uses. One
 * character of a known text takes at most 64 bytes.
 */
export class TextIndex {
  readonly #counter: Counter;
  /** Sorted by size, the largest first. */
  readonly #levels: Level[] = [];
  #fresh: string[] = [];

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** Adds a text that was not added before. It is found after the next {@link seal}. */
  add(text: string): void {
    this.#fresh.push(text);
  }

  /** The size of the automata in bytes. */
  get bytes(): number {
    return this.#levels.reduce((sum, { automaton }) => sum + automaton.bytes, 0);
  }

  /**
   * Returns the ranges of the known texts in `text`. If several known texts end at the same position, only the longest
   * is returned.
   */
  find(text: string): Range[] {
    const found: Range[] = [];
    for (const { automaton } of this.#levels)
      automaton.each(text, (_, start, end) => void found.push({ start, end }));
    return found;
  }

  /**
   * Returns the position from which the end of `text` may be the beginning of a known text. If there is no such
   * position, returns the length of `text`.
   */
  unfinishedAt(text: string): number {
    const ends = this.#levels.map(({ automaton }) => automaton.openEnd(text));
    return text.length - Math.max(0, ...ends);
  }

  /** Builds the automaton for the texts added since the last call. */
  seal(): void {
    if (this.#fresh.length === 0) return;
    let texts = this.#fresh;
    this.#fresh = [];
    let size = sizeOf(texts);
    for (let last = this.#levels.at(-1); last; last = this.#levels.at(-1)) {
      if (last.size > SMALL && last.size * PART > size) break;
      texts = [...last.texts, ...texts];
      size += last.size;
      this.#levels.pop();
    }
    this.#levels.push({ texts, size, automaton: new Automaton(texts, this.#counter) });
  }
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
