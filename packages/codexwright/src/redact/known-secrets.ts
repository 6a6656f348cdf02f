import type { Range } from "./range.ts";
import type { Counter } from "./search/automaton.ts";
import { TextIndex } from "./search/text-index.ts";
import { formsOf } from "./secret-forms.ts";

/** How many values of the peer's one generation holds, and how many characters they have. There are two. */
const MOST_OF_PEER = 2_048;
const MOST_CHARACTERS = 256 * 1024;
/** A longer value of the peer's is taken away where it stands, but not looked for elsewhere. */
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
 * Texts that are looked for everywhere.
 *
 * What this side sent or was configured with is never dropped. Of what the peer sent, the newest 2,048 values or 256 Ki
 * characters are known, and at most twice as many: they go by generations, the oldest ones first. A value that is met
 * again counts as new.
 */
export class KnownSecrets {
  /** The steps that learning and searching have taken. */
  readonly counter: Counter = { steps: 0 };
  readonly #own = new Generation(this.counter);
  #young = new Generation(this.counter);
  #old = new Generation(this.counter);
  /** Grows with every text that becomes known. */
  added = 0;
  /** The length of the shortest one. */
  shortest: number = Infinity;

  /** Whether this side sent it or was configured with it. */
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

  /** The bytes that it takes beside the texts. */
  get bytes(): number {
    return this.#generations().reduce((sum, { index }) => sum + index.bytes, 0);
  }

  /** From here on the texts that were added are found. Once for many of them: it is what learning costs. */
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
    // A value that is met again, and is still in the old generation, was known already.
    if (generation === this.#own || !this.#old.texts.has(secret)) this.added++;
    this.shortest = Math.min(this.shortest, secret.length);
    for (const form of formsOf(secret)) {
      generation.index.add(form);
      generation.characters += form.length;
    }
  }
}
