import stringWidth from "string-width";
import { clean } from "./text.ts";
import type { Style } from "./style.ts";

/** Fewer columns than these tell nothing of a text. */
const LEAST = 16;

/**
 * Rows below their headings, in columns as wide as they need. Where a terminal is too narrow, its widest column gives
 * way; the first one holds ids, which must stay whole.
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

/** So that two wide columns give way in turns. */
function secondWidest(widths: readonly number[]): number {
  return widths.slice(1).toSorted((a, b) => b - a)[1] ?? 0;
}

/** A text cut to so many columns, with a sign that it was. */
export function truncate(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(cut + segment) >= columns) break;
    cut += segment;
  }
  return `${cut}…`;
}
