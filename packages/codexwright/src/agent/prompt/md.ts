/**
 * Removes the indentation of the surrounding code from a template literal. Interpolated values are inserted
 * unchanged, even if they have several lines.
 */
export function md(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  // Insert the values only after the indentation is known: they may contain lines with other indentation.
  const text = strings.join(MARK);
  const lines = text.split("\n");
  const indents = lines
    // The first line starts in the middle of a line of code, so its indentation does not count.
    .slice(1)
    .filter((line) => line.trim() !== "")
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, Infinity);
  const dedented = lines.map((line, index) =>
    index === 0 ? line : line.slice(Math.min(indent, line.length)),
  );
  const parts = dedented.join("\n").trim().split(MARK);
  return parts.map((part, index) => (index === 0 ? part : `${values[index - 1]}${part}`)).join("");
}

/** Placeholder for a value: a private-use character that does not occur in text. */
const MARK = "\u{F0000}";
