/** A part of a text: the content of a Markdown fence, or the text between fences. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
}

/** Splits a text at its Markdown fences. An unclosed fence extends to the end of the text. */
export function* fenceSegments(text: string): Generator<Segment, void, undefined> {
  let start = 0;
  let open: string | undefined;
  for (let line = 0; line < text.length;) {
    const found = text.indexOf("\n", line);
    const end = found < 0 ? text.length : found + 1;
    const marker = markerAt(text, line, end);
    const isFence =
      open === undefined ? opens(text, line, end, marker) : closes(text, line, end, marker, open);
    if (isFence) {
      yield { start, end: line, fenced: open !== undefined };
      open = open === undefined ? marker : undefined;
      start = end;
    }
    line = end;
  }
  yield { start, end: text.length, fenced: open !== undefined };
}

/**
 * Returns the fence marker at the start of a line: three or more backticks or tildes, after optional spaces. Returns an
 * empty string if there is none.
 */
function markerAt(text: string, line: number, end: number): string {
  let from = line;
  while (text[from] === " ") from++;
  const char = text[from];
  if (from >= end || (char !== "`" && char !== "~")) return "";
  let to = from;
  while (text[to] === char) to++;
  return to - from < 3 ? "" : text.slice(from, to);
}

/**
 * An opening fence is followed by at most one word. If the same line also contains the content, it is treated as prose.
 */
function opens(text: string, line: number, end: number, marker: string): boolean {
  return marker !== "" && !/[`~{[]/.test(text.slice(text.indexOf(marker, line) + marker.length, end));
}

/** A closing fence is at least as long as the opening one, and nothing follows it. */
function closes(text: string, line: number, end: number, marker: string, open: string): boolean {
  return marker.startsWith(open) && text.slice(line, end).trim() === marker;
}
