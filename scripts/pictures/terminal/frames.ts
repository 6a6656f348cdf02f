/** A colour: a number of the terminal's palette, `#rrggbb`, or one of the two that a theme gives. */
export type Colour = number | string;

export interface RunStyle {
  readonly colour?: Colour;
  readonly background?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

/** Cells beside each other with one style. */
export interface Run {
  readonly column: number;
  /** In cells: some characters take two. */
  readonly width: number;
  readonly text: string;
  readonly style: RunStyle;
}

export interface Line {
  readonly runs: readonly Run[];
  /** The column of the cursor, if it is visible in this line. */
  readonly cursor?: number;
}

/** The screen from a time on. */
export interface Frame {
  readonly atMs: number;
  readonly lines: readonly Line[];
}

/** A line on its row for a while. A line that is there at the end has no `toMs`. */
export interface Span {
  readonly row: number;
  readonly fromMs: number;
  readonly toMs?: number;
  readonly line: Line;
}

/** Starts a recording at 0 and shortens its pauses, so that viewers do not wait for a slow machine. */
export function paced(frames: readonly Frame[], mostPauseMs: number): Frame[] {
  let before = frames[0]?.atMs ?? 0;
  let now = 0;
  return frames.map(({ atMs, lines }) => {
    now += Math.min(atMs - before, mostPauseMs);
    before = atMs;
    return { atMs: now, lines };
  });
}

/** The rows that any frame uses. */
export function usedRows(frames: readonly Frame[]): number {
  const last = ({ lines }: Frame): number =>
    lines.findLastIndex(({ runs, cursor }) => runs.length > 0 || cursor !== undefined) + 1;
  return Math.max(1, ...frames.map(last));
}

/** How long each line was on its row. Lines that do not change are one span, however many frames there are. */
export function spansOf(frames: readonly Frame[]): Span[] {
  const spans: Span[] = [];
  for (let row = 0; row < usedRows(frames); row++) {
    let open: { readonly key: string; readonly span: Span } | undefined;
    for (const { atMs, lines } of frames) {
      const line = lines[row] ?? { runs: [] };
      const key = JSON.stringify(line);
      if (key === open?.key) continue;
      if (open) spans.push({ ...open.span, toMs: atMs });
      open = { key, span: { row, fromMs: atMs, line } };
    }
    if (open) spans.push(open.span);
  }
  return spans.filter(
    ({ line, fromMs, toMs }) => (line.runs.length > 0 || line.cursor !== undefined) && toMs !== fromMs,
  );
}

/** The text of a frame, without empty lines at its end. */
export function textOf({ lines }: Frame): string {
  return lines
    .map(({ runs }) => runs.reduce((text, run) => text.padEnd(run.column) + run.text, "").trimEnd())
    .join("\n")
    .trimEnd();
}
