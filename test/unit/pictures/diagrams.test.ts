import { describe, expect, test } from "vitest";
import { gatewaySvg } from "../../../scripts/pictures/diagrams/gateway.ts";
import { depths, layout, reduced } from "../../../scripts/pictures/diagrams/graph.ts";
import { layersSvg, packagesSvg } from "../../../scripts/pictures/diagrams/layers.ts";
import { itemsOf, turnsSvg, type TurnEvent } from "../../../scripts/pictures/diagrams/turns.ts";
import { DARK, LIGHT } from "../../../scripts/svg/theme.ts";
import { PACKAGES } from "../../layers/table.ts";

const graph = { top: ["middle", "base", "side"], middle: ["base"], base: [], side: [] };

describe("a graph", () => {
  test("is drawn without the edges that follow from others", () => {
    expect(reduced(graph)).toEqual([
      { from: "top", to: "middle" },
      { from: "top", to: "side" },
      { from: "middle", to: "base" },
    ]);
    expect(Object.fromEntries(depths(graph))).toEqual({ base: 0, middle: 1, side: 0, top: 2 });
  });

  test("has rows in which every edge points down, with gaps for long edges", () => {
    const { rows, routes } = layout(graph);
    expect(rows.map((row) => row.map(({ node, isGap }) => (isGap ? `(${node})` : node)).toSorted())).toEqual([
      ["top"],
      ["(side)", "middle"],
      ["base", "side"],
    ]);
    const long = routes.find(({ edge }) => edge.to === "side");
    expect(long?.points.map(({ row }) => row)).toEqual([0, 1, 2]);
  });

  test("has few crossings", () => {
    const { rows } = layout({ a: ["y"], b: ["x"], x: [], y: [] });
    const [upper, lower] = rows.map((row) => row.map(({ node }) => node).join(""));
    expect([`ab yx`, `ba xy`]).toContain(`${upper} ${lower}`);
  });
});

const about = { turn: 0, prompt: "Go." } as const;
const events: readonly TurnEvent[] = [
  { ...about, kind: "turnStarted", method: "turn/started" },
  { ...about, kind: "started", method: "item/started", itemId: "1", type: "agentMessage" },
  { ...about, kind: "delta", method: "item/agentMessage/delta", itemId: "1", type: "" },
  { ...about, kind: "completed", method: "item/completed", itemId: "1", type: "agentMessage" },
  { ...about, kind: "turnCompleted", method: "turn/completed" },
];

test("an item has the marks of its events, in their order", () => {
  expect(itemsOf(events)).toEqual([
    {
      type: "agentMessage",
      turn: 0,
      marks: [
        { at: 1, kind: "started" },
        { at: 2, kind: "delta" },
        { at: 3, kind: "completed" },
      ],
    },
  ]);
});

test.each([LIGHT, DARK])("diagrams name what they show, in $name", (theme) => {
  expect(turnsSvg(events, theme)).toContain(">agentMessage</text>");
  expect(gatewaySvg(theme)).toContain(">codex app-server</text>");
  for (const name of Object.keys(PACKAGES)) expect(packagesSvg(theme)).toContain(`>${name}</text>`);
  for (const name of Object.keys(PACKAGES["codexwright"]?.rooms ?? {}))
    expect(layersSvg(theme)).toContain(`>${name}</text>`);
});
