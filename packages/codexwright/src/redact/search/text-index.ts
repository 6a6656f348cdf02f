import type { Range } from "../range.ts";
import { Automaton, type Counter } from "./automaton.ts";

/** Automata of fewer characters are always made anew together: otherwise there would be many small ones. */
const SMALL = 1_024;
/** An automaton is made anew with the next smaller ones once they have this part of its size. */
const PART = 1 / 3;

interface Level {
  readonly texts: readonly string[];
  readonly size: number;
  readonly automaton: Automaton;
}

/**
 * Finds thousands of texts at once, and takes further ones at any time.
 *
 * There are a few automata, each of at least three times the size of the next one. New texts go into a small one; it
 * is joined with the next larger one when it has grown to a third of that. A text is therefore built into an automaton a
 * number of times that grows with the logarithm of the whole, and a search walks as many automata. A character
 * of a text takes at most 64 bytes.
 */
export class TextIndex {
  readonly #counter: Counter;
  /** The largest first. */
  readonly #levels: Level[] = [];
  #fresh: string[] = [];

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** Adds a text that was not added before. It is found from the next {@link seal} on. */
  add(text: string): void {
    this.#fresh.push(text);
  }

  /** The bytes that the automata take. */
  get bytes(): number {
    return this.#levels.reduce((sum, { automaton }) => sum + automaton.bytes, 0);
  }

  /** Where the texts stand in another one; of those that end at one place, the longest. */
  find(text: string): Range[] {
    const found: Range[] = [];
    for (const { automaton } of this.#levels)
      automaton.each(text, (_, start, end) => void found.push({ start, end }));
    return found;
  }

  /** Where the end of a text begins that is the beginning of one of these; its length if nowhere. */
  unfinishedAt(text: string): number {
    const ends = this.#levels.map(({ automaton }) => automaton.openEnd(text));
    return text.length - Math.max(0, ...ends);
  }

  /** Makes the automaton of the texts that came since the last time. */
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
