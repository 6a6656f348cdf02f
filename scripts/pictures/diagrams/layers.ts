import type { Room } from "../../../test/layers/room.ts";
import { PACKAGES } from "../../../test/layers/table.ts";
import { element, short, svg, text, wrapped } from "../../svg/svg.ts";
import { baseStyle, card, type Theme } from "../../svg/theme.ts";
import { layout, type Graph, type Layout } from "./graph.ts";

interface Box {
  readonly is: string;
  readonly node: boolean;
}

interface GraphPicture {
  readonly title: string;
  readonly description: string;
  readonly graph: Graph;
  readonly boxes: Readonly<Record<string, Box>>;
  /** A line below the title. */
  readonly note: string;
}

const WIDTH = 800;
const PAD = 20;
const TOP = 72;
const BOX = { width: 172, height: 68 };
const GAP_WIDTH = 14;
const ROW = 104;
const IS_CHARACTERS = 27;

/** The layers of the library and what each is built on, from test/layers/table.ts. */
export function layersSvg(theme: Theme): string {
  const rooms = PACKAGES["codexwright"]?.rooms ?? {};
  const graph = Object.fromEntries(Object.entries(rooms).map(([name, { imports = [] }]) => [name, imports]));
  return graphSvg(
    {
      title: "Layers of codexwright",
      description: `Each layer may import those below it that a line leads to, and theirs if ARCHITECTURE.md says so. ${inWords(graph)}`,
      note: "Lines lead to what a layer is built on. A dashed frame: it needs Node; all others run in browsers, too.",
      graph,
      boxes: boxesOf(rooms),
    },
    theme,
  );
}

/** Our packages and which imports which. */
export function packagesSvg(theme: Theme): string {
  const names = Object.keys(PACKAGES);
  const graph = Object.fromEntries(
    Object.entries(PACKAGES).map(([name, { entries }]) => [
      name,
      names.filter((other) => entries.some((entry) => entry === other || entry.startsWith(`${other}/`))),
    ]),
  );
  return graphSvg(
    {
      title: "Packages",
      description: `Which package imports which. ${inWords(graph)}`,
      note: "Lines lead to the packages that a package imports. Every package imports codexwright.",
      graph,
      boxes: boxesOf(PACKAGES),
    },
    theme,
  );
}

function boxesOf(rooms: Readonly<Record<string, Room>>): Record<string, Box> {
  return Object.fromEntries(
    Object.entries(rooms).map(([name, { is = "", node = false }]) => [
      name,
      { is: is.replaceAll("`", ""), node },
    ]),
  );
}

function inWords(graph: Graph): string {
  return Object.entries(graph)
    .map(([name, targets]) => `${name}: ${targets.join(", ") || "nothing"}.`)
    .join(" ");
}

function graphSvg({ title, description, note, graph, boxes }: GraphPicture, theme: Theme): string {
  const made = layout(graph);
  const height = TOP + (made.rows.length - 1) * ROW + BOX.height + PAD;
  const at = positions(made);
  return svg({
    width: WIDTH,
    height,
    title,
    description,
    style: `${baseStyle(theme)}.line{fill:none;stroke:${theme.neutral};stroke-width:1.5}`,
    body: [
      card(theme, WIDTH, height),
      text(PAD, 32, title, { class: "title" }),
      text(PAD, 52, note, { class: "small" }),
      ...lines(made, at),
      ...made.rows.flatMap((row, y) =>
        row.flatMap(({ node, isGap }, x) =>
          isGap ? [] : [box(node, boxes[node] ?? { is: "", node: false }, at(y, x), theme)],
        ),
      ),
    ],
  });
}

interface Point {
  readonly x: number;
  readonly y: number;
}
type At = (row: number, place: number) => Point;

/**
 * Returns a function for the top centre of each place. The boxes of a row are spread over the width; gaps are
 * narrow.
 */
function positions({ rows }: Layout): At {
  const xs = rows.map((row) => {
    const widths = row.map(({ isGap }) => (isGap ? GAP_WIDTH : BOX.width));
    const free = WIDTH - 2 * PAD - widths.reduce((sum, width) => sum + width, 0);
    const space = free / (row.length + 1);
    let left = PAD;
    return widths.map((width) => {
      left += space;
      const middle = left + width / 2;
      left += width;
      return middle;
    });
  });
  return (row, place) => ({ x: xs[row]?.[place] ?? 0, y: TOP + row * ROW });
}

/**
 * Draws lines from the bottom of a box, through gaps, to the top of another box. Lines that end at the same
 * box are spread along its edge.
 */
function lines({ routes, rows }: Layout, at: At): string[] {
  const port = (row: number, place: number, kind: "from" | "to", other: number): number => {
    if (rows[row]?.[place]?.isGap) return 0;
    const mine = routes
      .filter(({ points }) => {
        const end = kind === "from" ? points[0] : points.at(-1);
        return end?.row === row && end.at === place;
      })
      .map(({ points }) => {
        const next = kind === "from" ? points[1] : points.at(-2);
        return next ? at(next.row, next.at).x : 0;
      })
      .toSorted((a, b) => a - b);
    const unique = [...new Set(mine)];
    return (unique.indexOf(other) - (unique.length - 1) / 2) * 22;
  };
  const drawn = routes.map(({ points }) => {
    const places = points.map(({ row, at: place }) => at(row, place));
    const parts = points.slice(1).map((to, n) => {
      const from = points[n] ?? to;
      const [start, end] = [places[n] ?? { x: 0, y: 0 }, places[n + 1] ?? { x: 0, y: 0 }];
      const x1 = start.x + port(from.row, from.at, "from", end.x);
      const x2 = end.x + port(to.row, to.at, "to", start.x);
      const y1 = start.y + BOX.height;
      const middle = (y1 + end.y) / 2;
      // Inside a gap, the line goes straight down.
      const through = rows[from.row]?.[from.at]?.isGap
        ? `M${short(x1)} ${short(start.y)}L${short(x1)} ${short(y1)}`
        : `M${short(x1)} ${short(y1)}`;
      return `${through}C${[x1, middle, x2, middle, x2, end.y].map(short).join(" ")}`;
    });
    return parts.join("");
  });
  return [element("path", { class: "line", d: [...new Set(drawn)].join("") })];
}

function box(name: string, { is, node }: Box, { x, y }: Point, theme: Theme): string {
  const [left, width] = [x - BOX.width / 2, BOX.width];
  const rows = wrapped(is, IS_CHARACTERS).slice(0, 3);
  return [
    element("rect", {
      x: left,
      y,
      width,
      height: BOX.height,
      rx: 6,
      fill: theme.surface,
      stroke: node ? theme.neutral : theme.accent,
      "stroke-width": 1.5,
      "stroke-dasharray": node ? "5 3" : undefined,
    }),
    text(x, y + 19, name, { class: "name", "text-anchor": "middle" }),
    ...rows.map((row, n) => text(x, y + 34 + n * 13, row, { class: "small", "text-anchor": "middle" })),
  ].join("");
}
