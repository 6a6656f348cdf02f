import { element, short, svg, text, wrapped } from "../../scripts/svg/svg.ts";
import { baseStyle, card, type Theme } from "../../scripts/svg/theme.ts";
import { inShort, logarithmic } from "./scale.ts";

/** How the cost of one thing grows with its size. */
export interface GrowthSeries {
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly cost: number }[];
  /** The k of cost = c · size^k, fitted to the points. */
  readonly exponent: number;
  readonly most: number;
}

const WIDTH = 800;
const PAD = 20;
const TOP = 72;
const COLUMNS = 4;
const CELL = { width: (WIDTH - 2 * PAD) / COLUMNS, height: 150 };
const PLOT = { left: 8, top: 40, right: 24, bottom: 24 };

/**
 * Draws a small plot for each series, with logarithmic axes. A linear cost has slope 1, and each plot also
 * shows a line with that slope.
 */
export function growthSvg(series: readonly GrowthSeries[], theme: Theme): string {
  const rows = Math.ceil(series.length / COLUMNS);
  const height = TOP + rows * CELL.height + 12;
  return svg({
    width: WIDTH,
    height,
    title: "How CPU grows with size",
    description: `Exponents of size in the cost. ${series.map(({ name, exponent }) => `${name}: ${exponent.toFixed(2)}.`).join(" ")}`,
    style: `${baseStyle(theme)}.cell{font-size:11px;font-weight:600}.k{font-size:12px;font-weight:600}`,
    body: [
      card(theme, WIDTH, height),
      text(PAD, 32, "How CPU grows with size", { class: "title" }),
      text(
        PAD,
        52,
        "CPU against size, both axes logarithmic. Dots: measured. Solid line: the fit. Dashed line: exactly linear.",
        {
          class: "small",
        },
      ),
      ...series.map((each, n) => {
        const [x, y] = [PAD + (n % COLUMNS) * CELL.width, TOP + Math.floor(n / COLUMNS) * CELL.height];
        return element("g", { transform: `translate(${short(x)} ${short(y)})` }, ...cell(each, theme));
      }),
    ],
  });
}

function cell({ name, points, exponent, most }: GrowthSeries, theme: Theme): string[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const [x0, x1] = [PLOT.left, CELL.width - PLOT.right];
  const [y0, y1] = [CELL.height - PLOT.bottom, PLOT.top];
  const x = logarithmic([first.size, last.size], [x0 + 8, x1 - 8]);
  // Slope 1 is the same angle in every plot.
  const base = first.cost;
  const y = logarithmic([base * 0.55, base * (last.size / first.size) * 1.8], [y0, y1]);
  const fitted = fit(points, exponent);
  const colour = exponent > most ? theme.fourth : theme.accent;
  const line = (cost: (size: number) => number, stroke: string, dashes?: string): string =>
    element("path", {
      d: `M${short(x(first.size))} ${short(y(cost(first.size)))}L${short(x(last.size))} ${short(y(cost(last.size)))}`,
      fill: "none",
      stroke,
      "stroke-width": 1.75,
      "stroke-dasharray": dashes,
    });
  return [
    ...wrapped(name, 27)
      .slice(0, 2)
      .map((row, n) => text(PLOT.left, 14 + n * 14, row, { class: "cell" })),
    element("rect", {
      x: x0,
      y: y1,
      width: x1 - x0,
      height: y0 - y1,
      rx: 4,
      fill: theme.surface,
      stroke: theme.border,
    }),
    line((size) => fitted(first.size) * (size / first.size), theme.neutral, "4 3"),
    line(fitted, colour),
    ...points.map(({ size, cost }) => element("circle", { cx: x(size), cy: y(cost), r: 3.5, fill: colour })),
    text(x0 + 8, y1 + 18, `k = ${exponent.toFixed(2)}`, {
      class: "k",
      fill: colour,
      style: `fill:${colour}`,
    }),
    text(x0, y0 + 14, inShort(first.size), { class: "small" }),
    text(x1, y0 + 14, inShort(last.size), { class: "small", "text-anchor": "end" }),
  ];
}

/** The line with this exponent through the middle of the points. */
function fit(points: GrowthSeries["points"], exponent: number): (size: number) => number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const c = mean(points.map(({ size, cost }) => Math.log(cost) - exponent * Math.log(size)));
  return (size) => Math.exp(c) * size ** exponent;
}
