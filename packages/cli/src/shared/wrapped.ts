/** Fewer columns than these are not worth a column of their own. */
const LEAST = 24;

/**
 * Breaks lines that are wider than a terminal between their words, because the terminal would break them inside of one.
 * What follows stands below the second column of the line, or is indented a little where that leaves no room.
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
  const hasColumn = column > 0 && width - column >= LEAST;
  const hanging = hasColumn ? column : Math.min(indent + 4, Math.floor(width / 4));
  const lines: string[] = [];
  // Spaces between columns stay on the first line, if the second column begins there.
  let current = hasColumn
    ? line
        .slice(0, column)
        .trimEnd()
        .padEnd(column - 1)
    : " ".repeat(Math.max(0, indent - 1));
  const rest = hasColumn ? line.slice(column) : line.trimStart();
  let isFirst = !hasColumn && indent === 0;
  for (const word of rest.split(/ +/)) {
    const longer = isFirst ? word : `${current} ${word}`;
    isFirst = false;
    if (longer.length <= width || current.trim() === "") {
      current = longer.length <= width ? longer : longer.trimStart();
      continue;
    }
    lines.push(current);
    // A word that is almost as wide as the terminal is indented less.
    current = `${" ".repeat(Math.max(0, Math.min(hanging, width - word.length)))}${word}`;
  }
  return [...lines, current].join("\n");
}
