import type { ItemPlace, TextField } from "./state-writer.ts";

/** How many pieces of text are kept before they are joined. */
const JOIN = 16;

/** What the deltas of an item have in common. */
type Stream = Pick<StreamingItem, "method" | "turnId" | "itemId" | "field" | "place">;

/** An item whose text comes in pieces, and is looked at after each of them, now and then, or never. */
export class StreamingItem {
  readonly method: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly field: TextField;
  readonly place: ItemPlace;
  /** Whether nothing has come since the text was shown last. */
  isShown = true;
  #text: string;
  /** What is to be added to the text. */
  #pieces: string[] = [];
  /** The text as it was shown last: up to so many of the pieces. */
  #shown: string;
  #shownPieces = 0;

  constructor({ method, turnId, itemId, field, place }: Stream, text: string) {
    this.method = method;
    this.turnId = turnId;
    this.itemId = itemId;
    this.field = field;
    this.place = place;
    this.#text = text;
    this.#shown = text;
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    this.isShown = false;
    if (this.#pieces.length < JOIN) return;
    // Short texts cost more as entries of a list than as characters.
    this.#text += this.#pieces.join("");
    this.#pieces = [];
    this.#shown = this.#text;
    this.#shownPieces = 0;
  }

  /** All of the text. Who looks often gets what was shown before and what has come since, not all put together again. */
  show(): string {
    for (; this.#shownPieces < this.#pieces.length; this.#shownPieces++) {
      this.#shown += this.#pieces[this.#shownPieces];
    }
    this.isShown = true;
    return this.#shown;
  }
}
