import path from "node:path";
import { describe, expect, test } from "vitest";
import { syncPage, syncPages } from "../../scripts/docs/snippets.ts";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");

verifies("docs.snippets", "every snippet of the guide is a region of an example", () => {
  expect(syncPages(ROOT, { check: true })).toEqual([]);
});

const EXAMPLE = `
import { one, type Two } from "codexwright";
if (true) {
  // #region outer
  one();

  // #region inner
    two();
  // #endregion inner
  // #endregion outer
}
// #region twice
// #endregion twice
// #region twice
// #endregion twice
// #region open
`;
const read = (file: string): string | undefined => (file === "examples/a.ts" ? EXAMPLE : undefined);
const page = (info: string, body = "old();\n"): string => `Text\n\n\`\`\`${info}\n${body}\`\`\`\n\nMore\n`;

describe("a page", () => {
  test("gets the region with its imports, without its indentation and without marks", () => {
    expect(syncPage(page("ts examples/a.ts#outer"), read)).toEqual({
      text: page("ts examples/a.ts#outer", 'import { one } from "codexwright";\n\none();\n\n  two();\n'),
      problems: [],
    });
    expect(syncPage(page("ts examples/a.ts#inner", ""), read).text).toBe(
      page("ts examples/a.ts#inner", "two();\n"),
    );
  });

  test("keeps blocks of other languages, and fences inside longer fences", () => {
    const text = `${page("sh")}\`\`\`\`md\n\`\`\`ts\nx\n\`\`\`\n\`\`\`\`\n`;
    expect(syncPage(text, read)).toEqual({ text, problems: [] });
  });

  test.each([
    ["ts", "line 3: a ts block names its source: `ts examples/x.ts#region`"],
    ["js", "line 3: a js block names its source: `js examples/x.ts#region`"],
    ["ts examples/b.ts#outer", "line 3: there is no file examples/b.ts"],
    ["ts examples/a.ts#nowhere", "line 3: examples/a.ts has no region nowhere"],
    ["ts examples/a.ts#open", "line 3: examples/a.ts has no region open"],
    ["ts examples/a.ts", "line 3: examples/a.ts has no region "],
    ["ts examples/a.ts#twice", "line 3: examples/a.ts has the region twice more than once"],
  ])("with ```%s is rejected and left unchanged", (info, problem) => {
    expect(syncPage(page(info), read)).toEqual({ text: page(info), problems: [problem] });
  });

  test("with an open block is rejected", () => {
    expect(syncPage("```ts examples/a.ts#inner\nx", read).problems).toEqual([
      "line 1: the block is not closed",
    ]);
  });
});
