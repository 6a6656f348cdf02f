/** What the fake server streams, and the check that a client got all of it in order. */

export const THREAD_ID = "019a2f3c-6d1e-7b40-9c55-0f8e7d6c5b4a";
export const TURN_ID = "019a2f3c-7a02-7e13-8b1f-4d3c2b1a0f9e";
export const ITEM_ID = "msg_0f3b9ad2c1";
export const DELTA_METHOD = "item/agentMessage/delta";

const DIGITS = 6;
const PREFIX = "word ";
const WIDTH = PREFIX.length + DIGITS + 1;

/** The `n`th piece of the message: its text holds its own number, always in the same columns. */
export function deltaText(n: number): string {
  return `${PREFIX}${String(n).padStart(DIGITS, "0")} `;
}

/** The line a real server writes for it. */
export function deltaLine(n: number): string {
  const params = { threadId: THREAD_ID, turnId: TURN_ID, itemId: ITEM_ID, delta: deltaText(n) };
  return `${JSON.stringify({ method: DELTA_METHOD, params, emittedAtMs: 1_760_000_000_000 + n })}\n`;
}

/** Counts pieces and holds them to their order. Every client under measure pays for the same check. */
export class DeltaCheck {
  #next = 0;

  /** Takes one piece, or several that were joined. */
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

  /** Throws where anything is missing. */
  complete(count: number): void {
    if (this.#next !== count) throw new Error(`${this.#next} of ${count} pieces came`);
  }
}
