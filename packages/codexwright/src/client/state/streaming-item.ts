import type { ItemPlace, TextField } from "./state-writer.ts";

/** After this many pieces, the text is joined. */
const JOIN = 16;

/** The properties that all deltas of an item share. */
type Stream = Pick<StreamingItem, "method" | "turnId" | "itemId" | "field" | "place">;

/** An item whose text arrives in pieces. It may be read after each piece, now and then, or never. */
export class StreamingItem {
  readonly method: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly field: TextField;
  readonly place: ItemPlace;
  /** Whether the text was read since the last piece. */
  isShown = true;
  #text: string;
  /** Pieces that are not yet part of `#text`. */
  #pieces: string[] = [];
  /** The text at the last read: `#text` plus the first `#shownPieces` pieces. */
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
    // Many short strings take more memory in a list than as one joined string.
    this.#text += this.#pieces.join("");
    this.#pieces = [];
    this.#shown = this.#text;
    this.#shownPieces = 0;
  }

  /** Returns the whole text. A frequent reader pays only for the pieces since the last read. */
  show(): string {
    for (; this.#shownPieces < this.#pieces.length; this.#shownPieces++) {
      this.#shown += this.#pieces[this.#shownPieces];
    }
    this.isShown = true;
    return this.#shown;
  }
}
