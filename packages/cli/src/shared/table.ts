import stringWidth from "string-width";
import { clean } from "./text.ts";
import type { Style } from "./style.ts";

/** A column is not narrowed below this width, because less text would be useless. */
const LEAST = 16;

/**
 * Formats rows below headings, in columns as wide as they need. On a narrow terminal the widest column is
 * shortened, except the first: it holds ids, which must stay complete.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  {
    style,
    width,
    isTerminal,
  }: { readonly style: Style; readonly width: number; readonly isTerminal: boolean },
): string {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => clean(cell).replaceAll(/\s+/g, " ").trimEnd()),
  );
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ""))));
  if (isTerminal) narrow(widths, width);
  const lines = cells.map((row) =>
    row
      .map((cell, column) => {
        const columns = widths[column] ?? 0;
        const text = truncate(cell, columns);
        return text + " ".repeat(columns - stringWidth(text));
      })
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line, index) => `${index === 0 ? style.bold(line) : line}\n`).join("");
}

function narrow(widths: number[], width: number): void {
  const total = (): number => widths.reduce((sum, columns) => sum + columns + 2, -2);
  while (total() > width) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= LEAST) return;
    widths[widths.indexOf(widest, 1)] = Math.max(LEAST, widest - (total() - width), secondWidest(widths) - 1);
  }
}

/**
 * One step narrows the widest column at most to the width of the second widest, so that the two columns shrink
 * alternately.
 */
function secondWidest(widths: readonly number[]): number {
  return widths.slice(1).toSorted((a, b) => b - a)[1] ?? 0;
}

/** Cuts a text to this number of columns, and marks the cut. */
export function truncate(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(cut + segment) >= columns) break;
    cut += segment;
  }
  return `${cut}…`;
}
