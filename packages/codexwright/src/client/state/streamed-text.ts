/** How many pieces of text are kept before they are joined. */
const JOIN = 16;

/** A text that comes in pieces, and is looked at after each of them, now and then, or never. */
export class StreamedText {
  #text: string;
  /** What is to be added to the text. */
  #pieces: string[] = [];
  /** The text as it was shown last: up to so many of the pieces. */
  #shown: string;
  #shownPieces = 0;
  /** Whether nothing has come since. */
  isShown = true;

  constructor(text: string) {
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

  /** All of it. Who looks often gets what was shown before and what has come since, not all of it put together again. */
  show(): string {
    for (; this.#shownPieces < this.#pieces.length; this.#shownPieces++) {
      this.#shown += this.#pieces[this.#shownPieces];
    }
    this.isShown = true;
    return this.#shown;
  }
}
