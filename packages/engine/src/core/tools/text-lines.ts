/** The lines of a text, and how each of them ends. */
export interface TextLines {
  readonly lines: readonly string[];
  /** The line break after each line. The last one is empty if the text does not end with a line break. */
  readonly ends: readonly string[];
  /** The first line break of the text; lines that are added get it. */
  readonly newline: string;
}

/** Splits a text at its line breaks, of any kind. */
export function splitLines(text: string): TextLines {
  const lines: string[] = [];
  const ends: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push(text.slice(from, index));
    ends.push(end);
    from = index + end.length;
  }
  if (from < text.length) {
    lines.push(text.slice(from));
    ends.push("");
  }
  return { lines, ends, newline: ends[0] || "\n" };
}

/** Lines that are replaced by others. */
export interface LineEdit {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

/** Applies edits, which are in order and do not overlap. Lines that stay keep their line breaks. Every line gets one. */
export function editLines({ lines, ends, newline }: TextLines, edits: readonly LineEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  const keep = (to: number): void => {
    for (; from < to; from++) parts.push(lines[from] ?? "", ends[from] || newline);
  };
  for (const { at, remove, insert } of edits) {
    keep(at);
    for (const line of insert) parts.push(line, newline);
    from = at + remove;
  }
  keep(lines.length);
  return parts.join("");
}
