import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { exponent } from "../../../bench/lib/fit.ts";
import type { Row } from "../../../bench/lib/report.ts";
import { pagesOf } from "../../../bench/lib/publish.ts";
import type { Results } from "../../../bench/lib/results.ts";
import { barsSvg } from "../../../bench/plots/bars.ts";
import { growthSvg } from "../../../bench/plots/growth.ts";
import { benchmarkPictures } from "../../../bench/plots/pictures.ts";
import { decades, inShort, linear, logarithmic, roundSteps } from "../../../bench/plots/scale.ts";
import { DARK, LIGHT } from "../../../scripts/svg/theme.ts";

test("scales and their marks", () => {
  expect([0, 5, 10].map(linear([0, 10], [100, 200]))).toEqual([100, 150, 200]);
  expect([1, 10, 100].map((value) => Math.round(logarithmic([1, 100], [0, 50])(value)))).toEqual([0, 25, 50]);
  expect(decades([0.4, 150])).toEqual([0.1, 1, 10, 100, 1_000]);
  expect(decades([1])).toEqual([1, 10]);
  expect(roundSteps(153, 5)).toEqual([0, 50, 100, 150, 200]);
  expect([0.12345, 12.345, 6_890.4].map(inShort)).toEqual(["0.123", "12.3", "6,890"]);
});

describe("bars", () => {
  const plot = { title: "CPU", note: "Lower is better.", unit: "µs" };
  const bars = [
    { name: "ours", value: 1, label: "1 µs", of: "ours" },
    { name: "theirs & co", value: 100, label: "100 µs", of: "peer" },
  ] as const;

  test("are as long as their values on a linear scale", () => {
    const widths = [
      ...barsSvg({ ...plot, scale: "linear", bars }, LIGHT).matchAll(/<rect x="310" [^>]* width="([\d.]+)"/g),
    ].map(([, width]) => Number(width));
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(100, 0);
  });

  test("are points on a logarithmic scale", () => {
    const made = barsSvg({ ...plot, scale: "log", bars }, DARK);
    expect([...made.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x))).toEqual([310, 650]);
    expect(made).toContain("theirs &amp; co: 100 µs.");
  });
});

test("a plot of growth shows the exponent, and another colour if it is above the limit", () => {
  const points = [64, 256, 1_024].map((size) => ({ size, cost: size ** 1.5 }));
  const series = { name: "things", points, exponent: exponent(points), most: 1.15 };
  const made = growthSvg([series, { ...series, most: 2 }], LIGHT);
  expect(made.match(/>k = 1\.50</g)).toHaveLength(2);
  expect([...made.matchAll(/r="3.5" fill="(#\w+)"/g)].map(([, fill]) => fill)).toEqual([
    LIGHT.fourth,
    LIGHT.fourth,
    LIGHT.fourth,
    LIGHT.accent,
    LIGHT.accent,
    LIGHT.accent,
  ]);
});

test("plots are drawn from the tables of a run", () => {
  const raw: Row = { name: "raw", of: "bound", min: 1, median: 1 };
  const ours: Row = { name: "ours: for await", of: "ours", min: 2, median: 2, ratio: 2 };
  const peer: Row = { name: "peer (20 of them)", of: "peer", min: 60, median: 60, rival: ours.name };
  const few: Row = { name: "few (20 of them)", of: "peer", min: 60, median: 60 };
  const growth: Row = {
    name: "turns of a thread: 64 to 256 (1 to 1 µs each)",
    of: "ours",
    min: 1,
    median: 1,
    target: 1.15,
    points: [
      { size: 64, cost: 1 },
      { size: 256, cost: 4 },
    ],
  };
  const section = (name: string, rows: readonly Row[], unit = "ms"): Results["sections"][number] => {
    const table = { title: `${name} table`, unit, rows };
    return { name, heading: name, about: "", tables: [table, table] };
  };
  const results: Results = {
    date: "",
    versions: [],
    machine: "",
    quick: false,
    sections: [
      section("deltas", [raw, ours, peer]),
      section("memory", [raw, ours, peer, few]),
      section("real", [raw, ours]),
      section("growth", [growth]),
    ],
  };
  const drawn = Object.fromEntries(
    Object.entries(benchmarkPictures(results)).map(([name, draw]) => [name, draw(LIGHT)]),
  );
  expect(drawn["benchmarks-cpu"]).toContain("peer: 60 µs · 30×.");
  expect(drawn["benchmarks-memory"]).toContain("peer (20 of them): 60 MB, 60 kept.");
  expect(drawn["benchmarks-memory"]).not.toContain("few");
  expect(drawn["benchmarks-real"]).toContain("real table, codexwright: for await: 2 ms.");
  expect(drawn["benchmarks-growth"]).toContain(">turns of a thread</text>");
});

test("`npm run pictures -- benchmarks` would change nothing", () => {
  const read = (file: string): string =>
    readFileSync(path.resolve(import.meta.dirname, "../../..", file), "utf8");
  const results = JSON.parse(read("docs/benchmarks/data.json")) as Results;
  for (const [file, text] of Object.entries(pagesOf(results))) expect(read(file)).toBe(text);
  for (const [name, draw] of Object.entries(benchmarkPictures(results)))
    expect(read(`docs/pictures/${name}-dark.svg`)).toBe(draw(DARK));
});
