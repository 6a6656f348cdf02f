import { describe, expect, test } from "vitest";
import { violationsIn } from "../../scripts/words/rules.ts";
import { proseOfCode, proseOfMarkdown } from "../../scripts/words/texts.ts";

describe("the rules for words", () => {
  test.each([
    "Nobody's consent counts.",
    "The signal is no AbortSignal.",
    "These are none.",
    "The model is told why.",
    "What another version refuses only that version knows.",
    "Where it lags, deltas are joined.",
    "Both are to be run.",
    "It must be kept, lest it grows.",
  ])("reject: %s", (sentence) => {
    expect(violationsIn(sentence)).toHaveLength(1);
  });

  test.each([
    "There is no guard.",
    "It is no longer needed.",
    "What does it do?",
    "Secrets that are equal can be told apart.",
    "What is trusted",
    "If it lags, deltas are joined.",
  ])("accept: %s", (sentence) => {
    expect(violationsIn(sentence)).toEqual([]);
  });
});

describe("prose is found", () => {
  const lines = (source: string, testFile = false): [number, string][] =>
    proseOfCode(source, { test: testFile }).map(({ line, text }) => [line, text.trim()]);

  test("in comments, joined over lines, and in messages of three words", () => {
    expect(lines('// one\n// two\nthrow new Error("it has failed"); // end\nf("a b");')).toEqual([
      [1, "one  two"],
      [3, "end"],
      [3, "it has failed"],
    ]);
  });

  test("in titles of tests, and not in their other texts", () => {
    expect(lines('test("does a thing", () => f("nobody is here"));', true)).toEqual([[1, "does a thing"]]);
  });

  test("not in examples of doc comments", () => {
    expect(lines("/**\n * Text.\n * ```ts\n * nobody();\n * ```\n */\nlet a;")).toEqual([[1, "Text."]]);
  });

  test("in paragraphs and cells of pages, and not in their code", () => {
    const page = "# Title\n\nOne line\nand `code`.\n\n```ts\nnobody();\n```\n\n| a | b |\n";
    expect(proseOfMarkdown(page).map(({ line, text }) => [line, text.trim()])).toEqual([
      [1, "# Title"],
      [3, "One line and X."],
      [10, ""],
      [10, "a"],
      [10, "b"],
      [10, ""],
    ]);
  });
});
