import type { Range } from "./range.ts";
import type { Counter } from "./search/automaton.ts";
import { TextIndex } from "./search/text-index.ts";
import { formsOf } from "./secret-forms.ts";

/**
 * The maximum number of values in one generation of peer secrets, and the maximum number of their characters. There are
 * two generations.
 */
const MOST_OF_PEER = 2_048;
const MOST_CHARACTERS = 256 * 1024;
/** A longer peer value is redacted in the place where it was found, but not searched for elsewhere. */
const LONGEST_OF_PEER = 16_384;

class Generation {
  readonly texts = new Set<string>();
  readonly index: TextIndex;
  characters = 0;

  constructor(counter: Counter) {
    this.index = new TextIndex(counter);
  }
}

/**
 * The known secrets, which are searched for in all texts.
 *
 * Texts that this side sent or was configured with are never dropped. Texts from the peer are kept in two generations,
 * and the older generation is dropped as a whole. So at least the newest 2,048 values or 256 Ki characters are known,
 * and at most twice as many. A value that is seen again counts as new.
 */
export class KnownSecrets {
  /** Counts the steps of learning and searching. */
  readonly counter: Counter = { steps: 0 };
  readonly #own = new Generation(this.counter);
  #young = new Generation(this.counter);
  #old = new Generation(this.counter);
  /** Increases with every text that becomes known. */
  added = 0;
  /** The length of the shortest known text. */
  shortest: number = Infinity;

  /** Returns whether this side sent the text or was configured with it. */
  isOwn(secret: string): boolean {
    return this.#own.texts.has(secret);
  }

  addOwn(secret: string): void {
    if (!this.#own.texts.has(secret)) this.#add(this.#own, secret);
  }

  addOfPeer(secret: string): void {
    if (secret.length > LONGEST_OF_PEER || this.#own.texts.has(secret) || this.#young.texts.has(secret))
      return;
    const { texts, characters } = this.#young;
    if (texts.size >= MOST_OF_PEER || characters >= MOST_CHARACTERS) {
      this.#old = this.#young;
      this.#young = new Generation(this.counter);
    }
    this.#add(this.#young, secret);
  }

  /** The size of the indexes in bytes, without the texts. */
  get bytes(): number {
    return this.#generations().reduce((sum, { index }) => sum + index.bytes, 0);
  }

  /** Makes the added texts searchable. Call it once for many texts, because it is the expensive part of learning. */
  seal(): void {
    for (const { index } of this.#generations()) index.seal();
  }

  find(text: string): Range[] {
    return this.#generations().flatMap(({ index }) => index.find(text));
  }

  unfinishedAt(text: string): number {
    return Math.min(...this.#generations().map(({ index }) => index.unfinishedAt(text)));
  }

  #generations(): readonly Generation[] {
    return [this.#own, this.#young, this.#old];
  }

  #add(generation: Generation, secret: string): void {
    generation.texts.add(secret);
    // A value that is still in the old generation was already known.
    if (generation === this.#own || !this.#old.texts.has(secret)) this.added++;
    this.shortest = Math.min(this.shortest, secret.length);
    for (const form of formsOf(secret)) {
      generation.index.add(form);
      generation.characters += form.length;
    }
  }
}
