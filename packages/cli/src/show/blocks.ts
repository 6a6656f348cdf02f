/**
 * Markdown that still grows, cut into whole blocks: up to the last blank line that is not inside fenced code. A list
 * goes on after a blank line, so one block may be shown as two; it reads the same. Each line is looked at once.
 */
export class GrowingBlocks {
  /** Lines of the block that is not whole yet, and a line that is not. */
  #lines = "";
  #line = "";
  #fence: string | undefined;

  /** What is not whole yet. */
  get rest(): string {
    return this.#lines + this.#line;
  }

  /** Adds a piece; gives the blocks that are whole with it, or "". */
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
    // In a list a fence is as far in as its item.
    const [, mark, info = ""] = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (mark === undefined) return this.#fence === undefined && line.trim() === "";
    if (this.#fence === undefined) this.#fence = mark;
    else if (mark.startsWith(this.#fence) && info.trim() === "") this.#fence = undefined;
    return false;
  }
}
