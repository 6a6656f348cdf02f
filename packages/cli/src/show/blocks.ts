/**
 * Splits growing markdown into complete blocks: up to the last blank line that is not inside fenced code. A list that
 * continues after a blank line may be shown as two blocks, which reads the same. Each line is processed once.
 */
export class GrowingBlocks {
  /** Complete lines of the unfinished block, and an incomplete line. */
  #lines = "";
  #line = "";
  #fence: string | undefined;

  /** The text that is not complete yet. */
  get rest(): string {
    return this.#lines + this.#line;
  }

  /** Adds a piece. Returns the blocks that it completes, or "". */
  push(piece: string): string {
    if (!piece.includes("\n")) {
      this.#line += piece;
      return "";
    }
    const lines = (this.#line + piece).split("\n");
    this.#line = lines.pop() ?? "";
    let whole = "";
    for (const line of lines) {
      this.#lines += `${line}\n`;
      if (!this.#endsBlock(line)) continue;
      whole += this.#lines;
      this.#lines = "";
    }
    return whole;
  }

  #endsBlock(line: string): boolean {
    // In a list, a fence may follow the item's marker or be indented like the item.
    const [, mark, info = ""] = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (mark === undefined) return this.#fence === undefined && line.trim() === "";
    if (this.#fence === undefined) this.#fence = mark;
    else if (mark.startsWith(this.#fence) && info.trim() === "") this.#fence = undefined;
    return false;
  }
}
