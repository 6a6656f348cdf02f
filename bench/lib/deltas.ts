/** The text that the fake servers stream, and the checks that a client received all of it in order. */

/** The ids of one thread, and of the one turn and item that stream in it. */
export interface Ids {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
}

/** Ids of the `n`th thread, as long as real ones. */
export function idsOf(n: number): Ids {
  const tail = n.toString(16).padStart(4, "0");
  return {
    threadId: `019a2f3c-6d1e-7b40-9c55-0f8e7d6c${tail}`,
    turnId: `019a2f3c-7a02-7e13-8b1f-4d3c2b1a${tail}`,
    itemId: `msg_0f3b9a${tail}`,
  };
}

export const DELTA_METHOD = "item/agentMessage/delta";

const DIGITS = 6;
const WRAP = 10 ** DIGITS;
const PREFIX = "word ";
const WIDTH = PREFIX.length + DIGITS + 1;

/** The `n`th piece of the message. Its text contains its own number, always in the same columns. */
export function deltaText(n: number): string {
  return `${PREFIX}${String(n % WRAP).padStart(DIGITS, "0")} `;
}

/** Checks the text of one thread as it arrives, and throws if it differs from what was sent. */
export interface TextCheck {
  take(text: string): void;
  /** Throws if text is missing. */
  complete(): void;
}

/** Counts pieces and checks their order. Every measured client runs the same check. */
export class DeltaCheck implements TextCheck {
  readonly #count: number;
  #next = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Checks one piece, or several that were merged. */
  take(text: string): void {
    for (let at = 0; at < text.length; at += WIDTH) {
      let number = 0;
      for (let digit = 0; digit < DIGITS; digit++) {
        number = number * 10 + text.charCodeAt(at + PREFIX.length + digit) - 48;
      }
      if (number !== this.#next) throw new Error(`piece ${this.#next} was expected, but ${number} came`);
      this.#next++;
    }
  }

  complete(): void {
    if (this.#next !== this.#count) throw new Error(`${this.#next} of ${this.#count} pieces came`);
  }
}

/** A check for one very long text. It compares only the length, which costs nothing. */
export class LengthCheck implements TextCheck {
  readonly #length: number;
  #came = 0;

  constructor(length: number) {
    this.#length = length;
  }

  take(text: string): void {
    this.#came += text.length;
  }

  complete(): void {
    if (this.#came !== this.#length) throw new Error(`${this.#came} of ${this.#length} characters came`);
  }
}
