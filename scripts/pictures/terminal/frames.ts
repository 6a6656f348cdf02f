/**
 * A colour: a number of the terminal's palette, `#rrggbb`, or "text" or "background", which the theme
 * defines.
 */
export type Colour = number | string;

export interface RunStyle {
  readonly colour?: Colour;
  readonly background?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

/** Adjacent cells with the same style. */
export interface Run {
  readonly column: number;
  /** The width in cells. Some characters take two cells. */
  readonly width: number;
  readonly text: string;
  readonly style: RunStyle;
}

export interface Line {
  readonly runs: readonly Run[];
  /** The column of the cursor, if it is visible in this line. */
  readonly cursor?: number;
}

/** The content of the screen from `atMs` until the next frame. */
export interface Frame {
  readonly atMs: number;
  readonly lines: readonly Line[];
}

/** A line and the time during which it is on its row. A line that is still there at the end has no `toMs`. */
export interface Span {
  readonly row: number;
  readonly fromMs: number;
  readonly toMs?: number;
  readonly line: Line;
}

/**
 * Shifts the frames so that the first is at 0, and shortens long pauses, so that viewers do not wait for a
 * slow machine.
 */
export function paced(frames: readonly Frame[], mostPauseMs: number): Frame[] {
  let before = frames[0]?.atMs ?? 0;
  let now = 0;
  return frames.map(({ atMs, lines }) => {
    now += Math.min(atMs - before, mostPauseMs);
    before = atMs;
    return { atMs: now, lines };
  });
}

/** The number of rows that the frames use. */
export function usedRows(frames: readonly Frame[]): number {
  const last = ({ lines }: Frame): number =>
    lines.findLastIndex(({ runs, cursor }) => runs.length > 0 || cursor !== undefined) + 1;
  return Math.max(1, ...frames.map(last));
}

/** Returns the spans of all lines. A line that does not change is one span, however many frames show it. */
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
