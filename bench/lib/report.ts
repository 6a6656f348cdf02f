import type { Figures } from "./sample.ts";

export interface Row {
  readonly name: string;
  readonly min: number;
  readonly median: number;
  /** Absent for the baseline itself and for what is only told. */
  readonly ratio?: number;
  /** The most that `ratio` may be; for a row without a ratio, the most that `median` may be. */
  readonly target?: number;
}

export interface Table {
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly Row[];
}

/** Min and median of one figure; the ratio is that of the minima, which other work on the machine disturbs least. */
export function row(
  name: string,
  samples: readonly Figures[],
  figure: string,
  against?: { readonly baseline: Row; readonly target?: number },
): Row {
  const values = samples.map((each) => figureOf(each, figure)).toSorted((a, b) => a - b);
  const min = values[0] ?? Number.NaN;
  const median = values[Math.floor(values.length / 2)] ?? Number.NaN;
  if (!against) return { name, min, median };
  const { baseline, target } = against;
  return { name, min, median, ratio: min / baseline.min, ...(target !== undefined && { target }) };
}

export function met({ ratio, median, target }: Row): boolean {
  return target === undefined || (ratio ?? median) <= target;
}

export function format({ title, unit, rows }: Table): string {
  const cells = [
    [title, `min ${unit}`, `median ${unit}`, "ratio", "target", ""],
    ...rows.map((each) => [
      each.name,
      round(each.min),
      round(each.median),
      each.ratio === undefined ? "" : `${each.ratio.toFixed(2)}x`,
      each.target === undefined ? "" : `<= ${each.target}${each.ratio === undefined ? "" : "x"}`,
      each.target === undefined ? "" : met(each) ? "met" : "MISSED",
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((line) => (line[column] ?? "").length)),
  );
  const lines = cells.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

function round(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en");
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

function figureOf(figures: Figures, name: string): number {
  const value = figures[name];
  if (value === undefined) throw new Error(`a sample has no figure "${name}"`);
  return value;
}
