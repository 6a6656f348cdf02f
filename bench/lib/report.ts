import type { Point } from "./fit.ts";
import type { Figures } from "./sample.ts";

/** The owner of a row: `bound` is the minimum work of any client, `ours` is codexwright, `peer` another library. */
export type Party = "bound" | "ours" | "peer";

/** A row of figures. */
export interface Row {
  readonly name: string;
  readonly of?: Party;
  readonly min: number;
  readonly median: number;
  /** The ratio to the baseline. Absent for the baseline itself and for rows that are only informative. */
  readonly ratio?: number;
  /** The upper limit of `ratio`, or of `median` if the row has no ratio. */
  readonly target?: number;
  /** Whether the target is for `median`, although the row has a ratio. */
  readonly isAbsolute?: boolean;
  /** For a row of a peer: the name of our row that does the same work. */
  readonly rival?: string;
  /** The reason that is printed if this row misses its target or, for a peer, costs less than ours. */
  readonly why?: string;
  /** The data behind a fitted figure. */
  readonly points?: readonly Point[];
}

/** A row without figures, because the subject lacks the feature or could not be run. */
export interface AbsentRow {
  readonly name: string;
  readonly of?: Party;
  readonly absent: string;
}

/** Lower is better in every table with targets or peers. */
export interface Table {
  readonly title: string;
  readonly unit: string;
  readonly rows: readonly (Row | AbsentRow)[];
}

/**
 * Min and median of one figure. The ratio compares the minima, because other work on the machine affects them
 * least.
 */
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

export function isMeasured(each: Row | AbsentRow): each is Row {
  return !("absent" in each);
}

/** Whether a row meets its target. NaN never does. */
export function met(each: Row): boolean {
  return each.target === undefined || (targetRatio(each) ?? each.median) <= each.target;
}

/** The ratio that the target of a row limits. undefined if it limits the median. */
export function targetRatio({ ratio, isAbsolute = false }: Row): number | undefined {
  return isAbsolute ? undefined : ratio;
}

/** The rows of a table that miss their targets. */
export function missed({ rows }: Table): Row[] {
  return rows.filter(isMeasured).filter((each) => !met(each));
}

/** Peers that cost less than our row for the same work, each with that row. */
export function ahead(table: Table): { readonly ours: Row; readonly peer: Row }[] {
  return table.rows.filter(isMeasured).flatMap((peer) => {
    const ours = rivalOf(peer, table);
    return ours && peer.min < ours.min ? [{ ours, peer }] : [];
  });
}

function rivalOf({ rival }: Row, { rows }: Table): Row | undefined {
  return rows.filter(isMeasured).find(({ name }) => name === rival);
}

/** The cells of a table, starting with its header. */
export function cellsOf(table: Table): string[][] {
  const { title, unit, rows } = table;
  const compared = rows.some((each) => isMeasured(each) && each.rival !== undefined);
  const withRivals = (line: string[], rival: string): string[] =>
    compared ? [...line.slice(0, 4), rival, ...line.slice(4)] : line;
  const head = [title, `min ${unit}`.trim(), `median ${unit}`.trim(), "ratio", "target", ""];
  return [
    withRivals(head, "of ours"),
    ...rows.map((each) => {
      if (!isMeasured(each)) return withRivals([each.name, "-", "-", "", "", each.absent], "");
      const ours = rivalOf(each, table);
      return withRivals(cells(each), ours ? times(each.min / ours.min) : "");
    }),
  ];
}

function cells(each: Row): string[] {
  const { name, ratio, target } = each;
  return [
    name,
    round(each.min),
    round(each.median),
    ratio === undefined ? "" : times(ratio),
    target === undefined
      ? ""
      : `<= ${target.toLocaleString("en")}${targetRatio(each) === undefined ? "" : "x"}`,
    target === undefined ? "" : met(each) ? "met" : "MISSED",
  ];
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;
}

/** Formats a table for a terminal. */
export function format(table: Table): string {
  const lines = cellsOf(table);
  const last = (lines[0] ?? []).length - 1;
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  const aligned = lines.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === last ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
  return `${aligned.join("\n")}\n`;
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
