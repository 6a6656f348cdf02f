/** The model's input and answer. */
export const HELLO = "Hello";
export const REPLY = "Hello to you, too.";

/** The model answers with one message and then stops sending, so the turn runs until it is ended. */
export const HOLD = "Hold";
export const HELD = "Holding.";

/** Followed by a number: the model answers with this many deltas. */
export const MANY = "Many ";

/** The text of so many deltas. Each has the same length. */
export function textOf(deltas: number): string {
  return "word ".repeat(deltas);
}
