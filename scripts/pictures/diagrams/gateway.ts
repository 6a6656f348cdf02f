import { element, svg, text } from "../../svg/svg.ts";
import { baseStyle, card, type Theme } from "../../svg/theme.ts";

interface Client {
  readonly name: string;
  readonly way: string;
  /** The threads that it follows. */
  readonly follows: readonly number[];
}

const CLIENTS: readonly Client[] = [
  { name: "Web console", way: "websocket, from a browser", follows: [0, 1] },
  { name: "Editor", way: "unix socket", follows: [0] },
  { name: "Script", way: "websocket, with a token", follows: [1] },
  { name: "Bot", way: "websocket, with a JWT", follows: [2] },
];
const THREADS = ["thread A", "thread B", "thread C"];
const KEEPS = [
  "a handshake for each client",
  "ids of requests kept apart",
  "events to followers only",
  "first answer counts",
];

const [WIDTH, HEIGHT] = [800, 352];
const LEFT = { x: 20, width: 190 };
const MIDDLE = { x: 318, width: 196 };
const RIGHT = { x: 600, width: 180 };
const [TOP, ROW, BOX_HEIGHT] = [76, 68, 52];
const BOTTOM = TOP + (CLIENTS.length - 1) * ROW + BOX_HEIGHT;

/** Many clients, one app-server. A line for each thread that a client follows. */
export function gatewaySvg(theme: Theme): string {
  const colours = [theme.accent, theme.second, theme.third];
  const clientY = (n: number): number => TOP + n * ROW;
  const threadY = (n: number): number => TOP + 70 + n * 48;
  const lines = CLIENTS.flatMap(({ follows }, n) =>
    follows.map((to, nth) => {
      const y1 = clientY(n) + BOX_HEIGHT / 2 + (nth - (follows.length - 1) / 2) * 14;
      const y2 = threadY(to) + 17;
      const [x1, x2] = [LEFT.x + LEFT.width, RIGHT.x + 14];
      const [a, b] = [MIDDLE.x - 4, MIDDLE.x + MIDDLE.width + 4];
      return element("path", {
        d: `M${x1} ${y1}C${x1 + 60} ${y1} ${a - 60} ${y2} ${a} ${y2}H${b}H${x2}`,
        class: "line",
        stroke: colours[to],
      });
    }),
  );
  return svg({
    width: WIDTH,
    height: HEIGHT,
    title: "The gateway: many clients, one app-server",
    description:
      "Four clients connect to one gateway, which has one connection to one codex app-server. Each client gets the events of the threads that it follows: the web console follows thread A and B, the editor A, the script B and the bot C. The gateway keeps a handshake for each client, keeps the ids of requests apart, and takes the first answer to a question.",
    style: `${baseStyle(theme)}.line{fill:none;stroke-width:2}`,
    body: [
      card(theme, WIDTH, HEIGHT),
      text(20, 32, "Many clients, one app-server", { class: "title" }),
      text(20, 52, "A line for each thread that a client follows.", { class: "small" }),
      ...lines,
      ...CLIENTS.map(({ name, way }, n) => client(name, way, clientY(n), theme)),
      ...gatewayBox(theme),
      ...serverBox(theme),
      ...THREADS.map((name, n) => thread(name, threadY(n), colours[n] ?? theme.accent, theme)),
    ],
  });
}

function client(name: string, way: string, y: number, theme: Theme): string {
  return [
    frame(LEFT.x, y, LEFT.width, BOX_HEIGHT, theme),
    text(LEFT.x + 14, y + 22, name, { class: "name" }),
    text(LEFT.x + 14, y + 40, way, { class: "small" }),
  ].join("");
}

/** Draws the box of the gateway. Lines pass behind the box, so its middle stays empty. */
function gatewayBox(theme: Theme): string[] {
  const { x, width } = MIDDLE;
  return [
    element("rect", {
      x,
      y: TOP,
      width,
      height: BOTTOM - TOP,
      rx: 8,
      fill: theme.accentSurface,
      stroke: theme.accent,
      "stroke-width": 1.5,
    }),
    text(x + width / 2, TOP + 30, "Gateway", { class: "name", "text-anchor": "middle" }),
    text(x + width / 2, TOP + 48, "codexwright serve", { class: "mono", "text-anchor": "middle" }),
    ...KEEPS.map((line, n) => text(x + width / 2, TOP + 96 + n * 40, line, { "text-anchor": "middle" })),
  ];
}

function serverBox(theme: Theme): string[] {
  const { x, width } = RIGHT;
  return [
    frame(x, TOP, width, BOTTOM - TOP, theme),
    text(x + width / 2, TOP + 30, "codex app-server", { class: "name", "text-anchor": "middle" }),
    text(x + width / 2, TOP + 48, "one process, over stdio", { class: "small", "text-anchor": "middle" }),
  ];
}

function thread(name: string, y: number, colour: string, theme: Theme): string {
  return [
    element("rect", {
      x: RIGHT.x + 14,
      y,
      width: RIGHT.width - 28,
      height: 34,
      rx: 6,
      fill: theme.background,
      stroke: colour,
      "stroke-width": 1.5,
    }),
    text(RIGHT.x + RIGHT.width / 2, y + 22, name, { "text-anchor": "middle" }),
  ].join("");
}

function frame(x: number, y: number, width: number, height: number, { surface, border }: Theme): string {
  return element("rect", { x, y, width, height, rx: 8, fill: surface, stroke: border, "stroke-width": 1.5 });
}
