import { element, svg, text } from "../../scripts/svg/svg.ts";
import { baseStyle, card, type Theme } from "../../scripts/svg/theme.ts";
import { decades, inShort, linear, logarithmic, roundSteps, type Scale } from "./scale.ts";

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** A part of the value, drawn darker within the bar. */
  readonly part?: number;
  /** The text after the bar. */
  readonly label: string;
  readonly of: "bound" | "ours" | "peer";
  /** Consecutive bars with the same heading form a group. */
  readonly heading?: string;
}

export interface BarPlot {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  /** A logarithmic scale has no 0, so it shows values as points instead of bars. */
  readonly scale: "linear" | "log";
  readonly bars: readonly Bar[];
}

const WIDTH = 800;
const PAD = 20;
const NAMES = 310;
const AFTER = 150;
const TOP = 74;
const ROW = 27;
const HEADING = 30;

/**
 * Draws horizontal bars; lower is better. Our bars have the accent colour, and the minimum that any client
 * needs is grey.
 */
export function barsSvg(plot: BarPlot, theme: Theme): string {
  const { title, note, unit, bars } = plot;
  const headings = bars.map(({ heading }, n) => heading !== undefined && heading !== bars[n - 1]?.heading);
  const tops: number[] = [];
  let y = TOP;
  for (const hasHeading of headings) {
    if (hasHeading) y += HEADING;
    tops.push(y);
    y += ROW;
  }
  const bottom = y + 4;
  const { ticks, x } = axis(plot);
  const height = bottom + 42;
  return svg({
    width: WIDTH,
    height,
    title,
    description: `${note} ${bars.map((bar) => `${bar.heading ? `${bar.heading}, ` : ""}${bar.name}: ${bar.label}.`).join(" ")}`,
    // A rim in the colour of the background keeps labels readable on the lines of the grid.
    style: `${baseStyle(theme)}.row{font-size:12px}.label{paint-order:stroke;stroke:${theme.background};stroke-width:4px;stroke-linejoin:round}`,
    body: [
      card(theme, WIDTH, height),
      text(PAD, 32, title, { class: "title" }),
      text(PAD, 52, note, { class: "small" }),
      ...ticks.map((tick) =>
        element("line", {
          x1: x(tick),
          y1: TOP - 6,
          x2: x(tick),
          y2: bottom,
          stroke: theme.border,
          "stroke-width": 1,
        }),
      ),
      ...ticks.map((tick) =>
        text(x(tick), bottom + 16, inShort(tick), { class: "small", "text-anchor": "middle" }),
      ),
      text((x(ticks[0] ?? 0) + x(ticks.at(-1) ?? 0)) / 2, bottom + 32, unit, {
        class: "small",
        "text-anchor": "middle",
      }),
      ...bars.flatMap((bar, n) => [
        ...(headings[n] ? [text(PAD, (tops[n] ?? 0) - 6, bar.heading ?? "", { class: "name" })] : []),
        row(bar, tops[n] ?? 0, x, plot, theme),
      ]),
    ],
  });
}

function axis({ scale, bars }: BarPlot): { readonly ticks: readonly number[]; readonly x: Scale } {
  const values = bars.map(({ value }) => value);
  const ticks = scale === "log" ? decades(values) : roundSteps(Math.max(...values), 5);
  const make = scale === "log" ? logarithmic : linear;
  return { ticks, x: make([ticks[0] ?? 0, ticks.at(-1) ?? 1], [NAMES, WIDTH - AFTER]) };
}

function row(bar: Bar, top: number, x: Scale, { scale }: BarPlot, theme: Theme): string {
  const { name, value, part, label, of } = bar;
  const colour = { bound: theme.neutral, ours: theme.accent, peer: theme.fourth }[of];
  const [middle, end] = [top + ROW / 2, x(value)];
  const drawn =
    scale === "log"
      ? [
          element("line", {
            x1: NAMES,
            y1: middle,
            x2: end,
            y2: middle,
            stroke: colour,
            "stroke-width": 2.5,
          }),
          element("circle", { cx: end, cy: middle, r: 5.5, fill: colour }),
        ]
      : [
          element("rect", {
            x: NAMES,
            y: top + 5,
            width: end - NAMES,
            height: ROW - 10,
            rx: 2,
            fill: colour,
            opacity: part === undefined ? 1 : 0.55,
          }),
          ...(part === undefined
            ? []
            : [
                element("rect", {
                  x: NAMES,
                  y: top + 5,
                  width: x(part) - NAMES,
                  height: ROW - 10,
                  rx: 2,
                  fill: colour,
                }),
              ]),
        ];
  return [
    text(NAMES - 10, middle + 4, name, {
      "text-anchor": "end",
      class: of === "ours" ? "row name" : "row",
    }),
    ...drawn,
    text(end + (scale === "log" ? 12 : 8), middle + 4, label, { class: "small label" }),
  ].join("");
}
