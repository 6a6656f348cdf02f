import fc from "fast-check";
import type { Command } from "commander";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { makeProgram } from "../../src/program.ts";
import { wrapped } from "../../src/shared/wrapped.ts";
import { command } from "../support/command.ts";

function commandsOf(program: Command): Command[] {
  return [program, ...program.commands.flatMap(commandsOf)];
}

function helpOf(shown: Command, width: number): string {
  let help = "";
  shown.configureOutput({
    getOutHelpWidth: () => width,
    writeOut: (text) => (help += wrapped(text, width)),
  });
  shown.outputHelp();
  return help;
}

function expectWhole(text: string, width: number, words: readonly string[]): void {
  expect(text.split(/\s+/).filter((word) => word !== "")).toEqual(words);
  const tooWide = text.split("\n").filter((line) => line.length > width && /\S\s+\S/.test(line));
  expect(tooWide).toEqual([]);
}

verifies("cli.help.width", "no help is wider than its terminal, and no word is broken", () => {
  for (const shown of commandsOf(makeProgram("1.0.0"))) {
    const words = helpOf(shown, 10_000)
      .split(/\s+/)
      .filter((word) => word !== "");
    for (let width = 20; width <= 120; width++) expectWhole(helpOf(shown, width), width, words);
  }
});

verifies("cli.help.width", "any text fits its terminal, and no word is broken", () => {
  const word = fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom("a", "-", "<", "…", "é") });
  const line = fc
    .tuple(fc.nat({ max: 12 }), fc.array(fc.tuple(word, fc.integer({ min: 1, max: 9 }))))
    .map(
      ([indent, parts]) => " ".repeat(indent) + parts.map(([text, gap]) => text + " ".repeat(gap)).join(""),
    );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), fc.integer({ min: 20, max: 120 }), (lines, width) => {
      const text = lines.join("\n");
      const words = text.split(/\s+/).filter((each) => each !== "");
      expectWhole(wrapped(text, width), width, words);
    }),
    { seed: 17, numRuns: 500 },
  );
});

verifies("cli.help.width", "the command uses the columns of the terminal", async () => {
  const { stdout, exitCode } = await command(["run", "--help"], { env: { COLUMNS: "30" } });
  expect(exitCode).toBe(0);
  for (const line of stdout.split("\n")) expect(line.length <= 30 || !/\S\s+\S/.test(line)).toBe(true);
});
