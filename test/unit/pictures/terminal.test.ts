import { describe, expect, test } from "vitest";
import { contrast, paint, readable } from "../../../scripts/pictures/terminal/colours.ts";
import {
  paced,
  spansOf,
  textOf,
  usedRows,
  type Frame,
  type Line,
} from "../../../scripts/pictures/terminal/frames.ts";
import { terminalSvg } from "../../../scripts/pictures/terminal/render.ts";
import { framesOf } from "../../../scripts/pictures/terminal/screen.ts";
import { DARK, LIGHT } from "../../../scripts/svg/theme.ts";

const SIZE = { columns: 20, rows: 4 };

function line(text: string): Line {
  return { runs: text === "" ? [] : [{ column: 0, width: text.length, text, style: {} }] };
}

function frame(atMs: number, ...texts: string[]): Frame {
  return { atMs, lines: texts.map(line) };
}

describe("the screen", () => {
  test("has runs with colours and weights", async () => {
    const data = "a \u001B[1;32mgreen\u001B[0m \u001B[2mdim\u001B[0m \u001B[38;2;1;2;255mrgb";
    const [made] = await framesOf([{ atMs: 0, data }], SIZE);
    expect(made?.lines[0]?.runs).toEqual([
      { column: 0, width: 2, text: "a ", style: {} },
      { column: 2, width: 5, text: "green", style: { colour: 2, bold: true } },
      { column: 7, width: 1, text: " ", style: {} },
      { column: 8, width: 3, text: "dim", style: { dim: true } },
      { column: 11, width: 1, text: " ", style: {} },
      { column: 12, width: 3, text: "rgb", style: { colour: "#0102ff" } },
    ]);
  });

  test("follows moves of the cursor, and hides it if the program does", async () => {
    const frames = await framesOf(
      [
        { atMs: 0, data: "one\r\ntwo" },
        { atMs: 100, data: "\u001B[1A\rONE\u001B[?25l" },
      ],
      SIZE,
    );
    expect(frames.map(textOf)).toEqual(["one\ntwo", "ONE\ntwo"]);
    expect(frames.map(({ lines }) => lines.map(({ cursor }) => cursor))).toEqual([
      [undefined, 3, undefined, undefined],
      [undefined, undefined, undefined, undefined],
    ]);
  });

  test("joins chunks that arrive together, and swaps inverse colours", async () => {
    const frames = await framesOf(
      [
        { atMs: 0, data: "\u001B[7m" },
        { atMs: 5, data: "y" },
      ],
      SIZE,
    );
    expect(frames).toHaveLength(1);
    expect(frames[0]?.lines[0]?.runs[0]?.style).toEqual({ colour: "background", background: "text" });
  });

  test("counts two cells for a wide character", async () => {
    const [made] = await framesOf([{ atMs: 0, data: "狐x" }], SIZE);
    expect(made?.lines[0]?.runs).toEqual([{ column: 0, width: 3, text: "狐x", style: {} }]);
  });
});

describe("a recording", () => {
  test("starts at 0, with short pauses", () => {
    const times = paced([frame(500, "a"), frame(600, "b"), frame(9_000, "c")], 1_000).map(({ atMs }) => atMs);
    expect(times).toEqual([0, 100, 1_100]);
  });

  test("has a line once for each time that it was shown", () => {
    const frames = [frame(0, "a", "b"), frame(10, "a", ""), frame(20, "a", "b"), frame(30, "a", "b")];
    expect(spansOf(frames)).toEqual([
      { row: 0, fromMs: 0, line: line("a") },
      { row: 1, fromMs: 0, toMs: 10, line: line("b") },
      { row: 1, fromMs: 20, line: line("b") },
    ]);
    expect(usedRows(frames)).toBe(2);
  });
});

describe("the picture of a terminal", () => {
  const frames = [frame(0, "$ "), frame(1_000, "$ run", "half"), frame(3_000, "$ run", "whole  text")];
  const picture = { title: "run", description: "Runs.", columns: 20, frames };

  test("shows the last frame unless the reader allows motion", () => {
    const made = terminalSvg(picture, LIGHT);
    expect(made).toContain("g{visibility:hidden}g.last{visibility:visible}");
    expect(made).toMatch(/<g id="g\d+" class="last"><text[^>]*>whole {2}text<\/text><\/g>/);
    expect(made).toMatch(/<g id="g\d+"><text[^>]*>half<\/text><\/g>/);
    const [before, after] = made.split("@media (prefers-reduced-motion:no-preference){");
    expect(before).not.toContain("animation");
    expect(after).toContain("animation-name");
  });

  test("hides a line before and after its time, which is a percentage of the duration", () => {
    // 3 s, plus the 5 s for which the last frame stays.
    expect(terminalSvg(picture, DARK)).toContain(
      "{0%{visibility:hidden}12.5%{visibility:visible}37.5%{visibility:hidden}}",
    );
  });

  test("describes the recording, with the text of its last frame", () => {
    expect(terminalSvg(picture, DARK)).toContain(
      '<desc id="description">Runs.\n\nAt the end the terminal shows:\n\n$ run\nwhole  text</desc>',
    );
  });

  test("is not drawn without frames", () => {
    expect(() => terminalSvg({ ...picture, frames: [] }, DARK)).toThrow('the recording "run" has no frames');
  });
});

test("colours of the palette, of the cube and of the greys", () => {
  expect(
    [1, 16, 21, 231, 232, 255, "#123456", "text"].map((colour) => paint(colour, LIGHT.terminal)),
  ).toEqual([
    LIGHT.terminal.ansi[1],
    "#000000",
    "#0000ff",
    "#ffffff",
    "#080808",
    "#eeeeee",
    "#123456",
    LIGHT.terminal.text,
  ]);
});

test("text that could not be read on its background becomes black or white", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(readable("#777777", "#888888")).toBe("#000000");
  expect(readable("#333333", "#222222")).toBe("#ffffff");
  expect(readable("#000000", "#eeeeee")).toBe("#000000");
});
