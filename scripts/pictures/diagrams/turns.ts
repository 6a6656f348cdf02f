import { element, svg, text } from "../../svg/svg.ts";
import { baseStyle, card, type Theme } from "../../svg/theme.ts";

/** An event of a recorded thread. */
export interface TurnEvent {
  /** Counted from 0. */
  readonly turn: number;
  readonly prompt: string;
  readonly kind: "turnStarted" | "turnCompleted" | "started" | "delta" | "completed";
  readonly method: string;
  readonly itemId?: string;
  /** The type of the item. */
  readonly type?: string;
}

interface Item {
  readonly type: string;
  readonly turn: number;
  readonly marks: readonly { readonly at: number; readonly kind: TurnEvent["kind"] }[];
}

const WIDTH = 800;
const PAD = 20;
const LABELS = 182;
const TOP = 108;
const ROW = 32;
const TURN_HEAD = 34;

/** Draws a thread, its turns and their items, from left to right in the order of the events. */
export function turnsSvg(events: readonly TurnEvent[], theme: Theme): string {
  const step = (WIDTH - LABELS - 2 * PAD) / events.length;
  const x = (at: number): number => LABELS + PAD + (at + 0.5) * step;
  const turns = [...new Set(events.map(({ turn }) => turn))];
  const body: string[] = [];
  let y = TOP;
  for (const turn of turns) {
    const own = itemsOf(events).filter((item) => item.turn === turn);
    const bounds = events.flatMap((event, at) => (event.turn === turn ? [at] : []));
    const height = TURN_HEAD + own.length * ROW + 10;
    const [first, last] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
    body.push(turnBox(x(first), x(last), y, height, theme));
    body.push(text(PAD, y + 21, `turn ${turn + 1}`, { class: "name" }));
    const prompt = events.find((event) => event.turn === turn)?.prompt ?? "";
    body.push(promptText(prompt, x(first), x(last), y + 21));
    for (const [n, item] of own.entries()) {
      const middle = y + TURN_HEAD + n * ROW + 12;
      body.push(text(PAD + 14, middle + 4, item.type, { class: "mono" }), bar(item, middle, x, theme));
    }
    y += height + 12;
  }
  const height = y + 42;
  return svg({
    width: WIDTH,
    height,
    title: "A thread, its turns and their items",
    description: `Recorded from a run of the real Codex with a scripted model. ${inWords(events)}`,
    style: baseStyle(theme),
    body: [
      card(theme, WIDTH, height),
      text(PAD, 32, "A thread, its turns and their items", { class: "title" }),
      text(PAD, 52, "The events of turns and items, from left to right in the order of arrival.", {
        class: "small",
      }),
      text(PAD, 87, "thread", { class: "name" }),
      element("rect", {
        x: LABELS + PAD,
        y: 76,
        width: WIDTH - LABELS - 2 * PAD,
        height: 16,
        rx: 8,
        fill: theme.second,
        "fill-opacity": 0.75,
      }),
      ...body,
      ...legend(y + 14, theme),
    ],
  });
}

/** Items in the order in which they began. */
export function itemsOf(events: readonly TurnEvent[]): Item[] {
  const items = new Map<string, Item>();
  for (const [at, { itemId, type = "", turn, kind }] of events.entries()) {
    if (itemId === undefined) continue;
    const before = items.get(itemId) ?? { type, turn, marks: [] };
    items.set(itemId, { ...before, type: before.type || type, marks: [...before.marks, { at, kind }] });
  }
  return [...items.values()];
}

function turnBox(from: number, to: number, y: number, height: number, theme: Theme): string {
  const { accent, accentSurface } = theme;
  return element("rect", {
    x: from - 8,
    y,
    width: to - from + 16,
    height,
    rx: 8,
    fill: accentSurface,
    stroke: accent,
    "stroke-width": 1.5,
  });
}

/** Puts the prompt into the box of its turn if there is room, otherwise to the left of the box. */
function promptText(prompt: string, from: number, to: number, y: number): string {
  const content = `“${prompt}”`;
  return content.length * 6.6 < to - from
    ? text(from + 6, y, content)
    : text(from - 18, y, content, { "text-anchor": "end" });
}

function bar({ marks }: Item, y: number, x: (at: number) => number, theme: Theme): string {
  const [first, last] = [x(marks[0]?.at ?? 0), x(marks.at(-1)?.at ?? 0)];
  return [
    element("line", {
      x1: first,
      y1: y,
      x2: last,
      y2: y,
      stroke: theme.neutral,
      "stroke-width": 6,
      "stroke-opacity": 0.35,
    }),
    ...marks.map(({ at, kind }) => mark(kind, x(at), y, theme)),
  ].join("");
}

function mark(kind: TurnEvent["kind"], x: number, y: number, { background, third, fourth }: Theme): string {
  if (kind === "delta")
    return element("rect", { x: x - 2, y: y - 8, width: 4, height: 16, rx: 1.5, fill: fourth });
  const fill = kind === "completed" ? third : background;
  return element("circle", { cx: x, cy: y, r: 6, fill, stroke: third, "stroke-width": 2 });
}

function legend(y: number, theme: Theme): string[] {
  const entries = [
    ["started", "item/started"],
    ["delta", "item/…/delta"],
    ["completed", "item/completed"],
  ] as const;
  return entries.flatMap(([kind, name], n) => {
    const x = LABELS + PAD + 8 + n * 150;
    return [mark(kind, x, y, theme), text(x + 14, y + 4, name, { class: "mono" })];
  });
}

function inWords(events: readonly TurnEvent[]): string {
  return itemsOf(events)
    .map(({ type, turn, marks }) => {
      const deltas = marks.filter(({ kind }) => kind === "delta").length;
      return `Turn ${turn + 1}: ${type}, ${deltas} deltas.`;
    })
    .join(" ");
}
