import xterm from "@xterm/headless";
import type { Frame, Line, Run, RunStyle } from "./frames.ts";
import type { Chunk } from "./record.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

type Cell = NonNullable<
  ReturnType<NonNullable<ReturnType<xterm.Terminal["buffer"]["active"]["getLine"]>>["getCell"]>
>;

/**
 * Chunks that arrive within this time of each other become one frame, because a program may write one change in several
 * pieces.
 */
const FRAME_MS = 40;
const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";

/** The screen after each group of chunks, from a terminal emulator. */
export async function framesOf(chunks: readonly Chunk[], { columns, rows }: Size): Promise<Frame[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const frames: Frame[] = [];
  let hasCursor = true;
  for (const [at, { atMs, data }] of chunks.entries()) {
    await new Promise<void>((resolve) => terminal.write(data, resolve));
    const [hidden, visible] = [data.lastIndexOf(HIDE_CURSOR), data.lastIndexOf(SHOW_CURSOR)];
    if (hidden !== visible) hasCursor = visible > hidden;
    const next = chunks[at + 1];
    if (next && next.atMs - atMs < FRAME_MS) continue;
    frames.push({ atMs, lines: linesOf(terminal, hasCursor) });
  }
  terminal.dispose();
  return frames;
}

function linesOf(terminal: xterm.Terminal, hasCursor: boolean): Line[] {
  const { active } = terminal.buffer;
  return Array.from({ length: terminal.rows }, (_, row): Line => {
    const line = active.getLine(active.viewportY + row);
    const runs: Run[] = [];
    for (let column = 0; column < terminal.cols; column++) {
      const cell = line?.getCell(column);
      if (!cell || cell.getWidth() === 0) continue;
      add(runs, column, cell);
    }
    trimEnd(runs);
    return hasCursor && row === active.cursorY ? { runs, cursor: active.cursorX } : { runs };
  });
}

/** Adds a cell to the run before it, or begins a run. */
function add(runs: Run[], column: number, cell: Cell): void {
  const text = cell.getChars() || " ";
  const style = styleOf(cell);
  const last = runs.at(-1);
  const isSame = last && JSON.stringify(last.style) === JSON.stringify(style);
  const width = cell.getWidth();
  if (isSame && last.column + last.width === column)
    runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + width };
  else runs.push({ column, width, text, style });
}

/** Removes the blank cells at the end, unless they have a background. */
function trimEnd(runs: Run[]): void {
  for (let last = runs.pop(); last; last = runs.pop()) {
    const text = last.style.background === undefined ? last.text.trimEnd() : last.text;
    if (text === "") continue;
    runs.push({ ...last, text, width: last.width - (last.text.length - text.length) });
    return;
  }
}

function styleOf(cell: Cell): RunStyle {
  const front = colourOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const back = colourOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  const [colour, background] = cell.isInverse() ? [back ?? "background", front ?? "text"] : [front, back];
  return {
    ...(colour !== undefined && { colour }),
    ...(background !== undefined && { background }),
    ...(cell.isBold() && { bold: true }),
    ...(cell.isDim() && { dim: true }),
    ...(cell.isItalic() && { italic: true }),
    ...(cell.isUnderline() && { underline: true }),
  };
}

function colourOf(isRgb: boolean, isPalette: boolean, value: number): RunStyle["colour"] {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  return isPalette ? value : undefined;
}
