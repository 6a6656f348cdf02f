/** A second column narrower than this is moved below the first. */
const LEAST = 24;

/**
 * If a line is wider than the terminal, breaks it between words. The terminal would break it inside a word.
 * Continuation lines are aligned with the second column, or slightly indented if that leaves no room.
 */
export function wrapped(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => (line.length <= width ? line : wrapLine(line, width)))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const indent = line.length - line.trimStart().length;
  const column = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? 0;
  const hanging =
    width - column >= LEAST && column > 0 ? column : Math.min(indent + 4, Math.floor(width / 4));
  if (column === 0) return fill(" ".repeat(indent), line, width, hanging);
  const first = line.slice(0, column).trimEnd();
  const rest = line.slice(column);
  if (hanging === column) return fill(first.padEnd(column), rest, width, hanging);
  const below = fill(" ".repeat(hanging), rest, width, hanging);
  return `${fill(" ".repeat(indent), first, width, hanging)}\n${below}`;
}

/** Appends words to a beginning, in as many lines as they need. */
function fill(begin: string, text: string, width: number, hanging: number): string {
  const lines: string[] = [];
  let current = begin;
  let isBlank = true;
  for (const word of text.trim().split(/ +/)) {
    const longer = isBlank ? current + word : `${current} ${word}`;
    if (longer.length > width && current.trim() !== "") {
      lines.push(current.trimEnd());
      current = " ".repeat(hanging);
      isBlank = true;
    }
    const next = isBlank ? current + word : `${current} ${word}`;
    // A word almost as wide as the terminal is indented less.
    current = next.length > width ? next.trimStart().padStart(width) : next;
    isBlank = false;
  }
  return [...lines, current].join("\n");
}
