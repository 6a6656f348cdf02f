/**
 * Text of a template literal without the indentation of the code around it. Values are put in as they are, also where
 * they have lines of their own.
 */
export function md(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  // Values are kept out while the indentation is found: they may look like anything.
  const text = strings.join(MARK);
  const lines = text.split("\n");
  const indents = lines
    // The first line starts in the middle of a line of code.
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

/** Stands for a value; no text has it. */
const MARK = "\u{F0000}";
