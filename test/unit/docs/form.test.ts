import { describe, expect, test } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { commandsIn, guideProblems, importProblems } from "../../../scripts/docs/form.ts";
import { freeNames, importsFor } from "../../../scripts/docs/imports.ts";

const page = (...lines: string[]): string => `# Page\n\n${lines.join("\n")}\n`;
const OPENING = "After this page you can test pages.";
const snippet = (...code: string[]): string => ["```ts examples/a.ts#x", ...code, "```"].join("\n");

describe("a guide page", () => {
  test("says first what the reader can do after it", () => {
    expect(guideProblems(page(OPENING))).toEqual([]);
    for (const text of [page("A page."), page("", OPENING), "After this page you can test.\n"])
      expect(guideProblems(text)).toEqual(['begins with "After this page you can …" after its title']);
  });

  test("has the command of each example that it shows", () => {
    const shown = page(OPENING, "", snippet("a();"));
    expect(guideProblems(shown)).toEqual(["shows examples/a.ts without its command: npm run example -- a"]);
    expect(guideProblems(`${shown}\`npm run example -- a\`\n`)).toEqual([]);
    expect(commandsIn("`npm run example -- a`, `npm run example -- recipes/b-c`.")).toEqual([
      "a",
      "recipes/b-c",
    ]);
  });

  test("has at most 150 lines, and imports do not count", () => {
    const lines = (count: number): string => page(OPENING, ...Array.from({ length: count }, () => "x"));
    expect(guideProblems(lines(147))).toEqual([]);
    expect(guideProblems(lines(148))).toEqual(["has 151 lines, and may have 150 without imports"]);
    const imports = ['import { a } from "a";', "import {", "  b,", "  type C,", '} from "b";', ""];
    const long = lines(143) + snippet(...imports, "a(b);") + "\n`npm run example -- a`\n";
    expect(guideProblems(long)).toEqual([]);
    expect(guideProblems(`${long}x\n`)).toHaveLength(1);
  });
});

verifies("docs.imports", "a snippet that uses a name of ours without importing it is reported", () => {
  const names = new Set(["CodexClient", "tool", "reply"]);
  const text = (code: string): string => page("```ts", code, "```");
  expect(
    importProblems(text('import { CodexClient } from "codexwright";\nCodexClient.connect();'), names),
  ).toEqual([]);
  expect(importProblems(text("await CodexClient.connect();"), names)).toEqual([
    "line 3: the snippet uses CodexClient and does not import it",
  ]);
  // Properties, keys and the snippet's own names are not names of our packages.
  expect(importProblems(text("const tool = model.reply({ reply: 1 });\nuse(tool);"), names)).toEqual([]);
  expect(importProblems(text("use({ reply });"), names)).toHaveLength(1);
});

test("free names are those that are used and neither declared nor imported", () => {
  const code = `
    import d, { e as f } from "g";
    const { a, b: c } = h(d);
    function i<T>(j: T): K { return l.m(a, c, f, j as N.O); }
    type P = { q: R };
  `;
  expect([...freeNames(code)].toSorted()).toEqual(["K", "N", "R", "h", "l"]);
});

test("imports keep their form and lose unused names", () => {
  const module = `
    import a, { b, c as d, type E } from "one";
    import * as f from "two";
    import type { G } from "three";
    import "four";
    import { unused } from "five";
  `;
  expect(importsFor(module, "a(d, f.x as E & G)")).toEqual([
    'import a, { c as d, type E } from "one";',
    'import * as f from "two";',
    'import type { G } from "three";',
  ]);
  const long = Array.from({ length: 12 }, (_, index) => `aVeryLongName${index}`);
  expect(importsFor(`import { ${long.join(", ")} } from "x";`, long.join(";"))).toEqual([
    "import {",
    ...long.map((name) => `  ${name},`),
    '} from "x";',
  ]);
});
