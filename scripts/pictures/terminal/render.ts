import { element, escaped, short, svg, text } from "../../svg/svg.ts";
import { MONO, SANS, type TerminalColours, type Theme } from "../../svg/theme.ts";
import { paint, readable } from "./colours.ts";
import {
  spansOf,
  textOf,
  usedRows,
  type Frame,
  type Line,
  type Run,
  type RunStyle,
  type Span,
} from "./frames.ts";

export interface TerminalPicture {
  readonly title: string;
  readonly description: string;
  readonly columns: number;
  readonly frames: readonly Frame[];
}

const CELL = 8.6;
const LINE = 19;
const PAD = 16;
const BAR = 34;
/** How long the last frame stays before the recording starts again. */
const HOLD_MS = 5_000;
/** How many times the recording plays before it stops. Endless movement would distract readers. */
const TIMES = 3;

/**
 * Draws a recording as a CSS animation. The picture contains a line once for each time span in which the line was on
 * the screen. Without animations, and for readers who prefer reduced motion, the last frame is shown.
 */
export function terminalSvg(picture: TerminalPicture, theme: Theme): string {
  const { title, description, columns, frames } = picture;
  const last = frames.at(-1);
  if (!last) throw new Error(`the recording "${title}" has no frames`);
  const totalMs = last.atMs + HOLD_MS;
  const groups = byTime(spansOf(frames));
  const width = Math.ceil(2 * PAD + columns * CELL);
  const height = Math.ceil(BAR + 2 * PAD + usedRows(frames) * LINE);
  return svg({
    width,
    height,
    title,
    description: `${description}\n\nAt the end the terminal shows:\n\n${textOf(last)}`,
    style: style(theme, groups, totalMs),
    body: [
      ...frameOfWindow(theme, width, height, title),
      ...groups.map((spans, at) => group(spans, at, theme.terminal)),
    ],
  });
}

function frameOfWindow(theme: Theme, width: number, height: number, title: string): string[] {
  const { terminal, border, muted } = theme;
  const dots = [0, 1, 2].map((n) =>
    element("circle", { cx: 20 + n * 18, cy: BAR / 2, r: 5.5, fill: border }),
  );
  return [
    element("rect", {
      x: 0.5,
      y: 0.5,
      width: width - 1,
      height: height - 1,
      rx: 8,
      fill: terminal.background,
      stroke: border,
    }),
    element("path", {
      d: `M.5 ${BAR}V8.5a8 8 0 0 1 8-8H${width - 8.5}a8 8 0 0 1 8 8V${BAR}z`,
      fill: terminal.bar,
      stroke: border,
    }),
    ...dots,
    text(width / 2, BAR / 2 + 4, title, { class: "bar", "text-anchor": "middle", fill: muted }),
  ];
}

/** Groups spans that appear and disappear at the same times. */
function byTime(spans: readonly Span[]): Span[][] {
  const groups = new Map<string, Span[]>();
  for (const span of spans) {
    const key = `${span.fromMs}-${span.toMs}`;
    const known = groups.get(key);
    if (known) known.push(span);
    else groups.set(key, [span]);
  }
  return [...groups.values()].toSorted(([a], [b]) => (a?.fromMs ?? 0) - (b?.fromMs ?? 0));
}

function style(theme: Theme, groups: readonly (readonly Span[])[], totalMs: number): string {
  const { terminal } = theme;
  const seconds = short(totalMs / 1_000);
  const percent = (ms: number): string => `${short((ms / totalMs) * 100)}%`;
  const keyframes = groups.map(([span], at) => {
    const fromMs = span?.fromMs ?? 0;
    const toMs = span?.toMs;
    const start = fromMs > 0 ? `0%{visibility:hidden}${percent(fromMs)}` : "0%";
    const end = toMs === undefined ? "" : `${percent(toMs)}{visibility:hidden}`;
    return `@keyframes k${at}{${start}{visibility:visible}${end}}`;
  });
  const names = groups.map((_, at) => `#g${at}{animation-name:k${at}}`);
  return [
    `text{font-family:${MONO};font-size:14px;fill:${terminal.text}}`,
    `.bar{font-family:${SANS};font-size:12px}`,
    `.b{font-weight:700}.d{opacity:.62}.i{font-style:italic}.u{text-decoration:underline}`,
    ...terminal.ansi.map((colour, at) => `.c${at}{fill:${colour}}`),
    `g{visibility:hidden}g.last{visibility:visible}`,
    `@media (prefers-reduced-motion:no-preference){`,
    `g{animation-duration:${seconds}s;animation-timing-function:step-end;animation-iteration-count:${TIMES}}`,
    `${names.join("")}}`,
    ...keyframes,
  ].join("\n");
}

function group(spans: readonly Span[], at: number, colours: TerminalColours): string {
  const isLast = spans.some(({ toMs }) => toMs === undefined);
  const lines = spans.map(({ row, line }) => lineOf(row, line, colours));
  return element("g", { id: `g${at}`, class: isLast ? "last" : undefined }, ...lines);
}

function lineOf(row: number, { runs, cursor }: Line, colours: TerminalColours): string {
  const top = BAR + PAD + row * LINE;
  const cells = (column: number, width: number, fill: string, opacity?: number): string =>
    element("rect", { x: PAD + column * CELL, y: top, width: width * CELL, height: LINE, fill, opacity });
  const backgrounds = runs.flatMap(({ column, width, style: { background } }) =>
    background === undefined ? [] : [cells(column, width, paint(background, colours))],
  );
  return [
    ...backgrounds,
    ...(cursor === undefined ? [] : [cells(cursor, 1, colours.text, 0.55)]),
    ...runs.filter((run) => run.text.trim() !== "").map((run) => runText(run, top, colours)),
  ].join("");
}

/** Sets the length of the text, so that columns are aligned in any font. */
function runText(
  { column, width, text: content, style: look }: Run,
  top: number,
  colours: TerminalColours,
): string {
  const before = content.length - content.trimStart().length;
  const shown = content.trim();
  const cells = width - (content.length - shown.length);
  const { colour, background } = look;
  const isNamed = background === undefined && typeof colour === "number" && colour < 16;
  const classes = [
    ...(isNamed ? [`c${colour}`] : []),
    ...(look.bold ? ["b"] : []),
    ...(look.dim ? ["d"] : []),
    ...(look.italic ? ["i"] : []),
    ...(look.underline ? ["u"] : []),
  ].join(" ");
  return element(
    "text",
    {
      x: PAD + (column + before) * CELL,
      y: top + 14,
      textLength: cells * CELL,
      class: classes || undefined,
      // Without this, several spaces would be shown as one.
      "xml:space": shown.includes("  ") ? "preserve" : undefined,
      style: isNamed ? undefined : fillOf(look, colours),
    },
    escaped(shown),
  );
}

/** Chooses a readable colour for text that has its own background, whatever the palette of the theme. */
function fillOf({ colour, background }: RunStyle, colours: TerminalColours): string | undefined {
  if (background === undefined) return colour === undefined ? undefined : `fill:${paint(colour, colours)}`;
  return `fill:${readable(paint(colour ?? "text", colours), paint(background, colours))}`;
}
