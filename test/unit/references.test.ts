import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import {
  brokenReferences,
  filesBelow,
  missingPages,
  referencesOf,
} from "@codexwright/test-support/references";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../..");

verifies(
  "docs.references",
  "every link and every path in the documentation points to an existing file",
  () => {
    // The reference is generated and has its own anchors.
    const pages = filesBelow(ROOT, [".md"]);
    expect(pages.length).toBeGreaterThan(60);
    expect(brokenReferences(pages, ROOT)).toEqual([]);
  },
);

verifies("docs.references", "every documentation page that the code names exists", () => {
  const own = [import.meta.filename];
  const code = filesBelow(ROOT, [".ts", ".mjs", ".json", ".md"]).filter((file) => !own.includes(file));
  expect(code.length).toBeGreaterThan(500);
  expect(missingPages(code, ROOT)).toEqual([]);
});

test("references are links, pictures and the paths in code spans", () => {
  const text = `
See [a page](docs/a.md#part), [the web](https://example.com), [below](#part), \`scripts/a.ts\`, \`docs/*.md\`,
\`turn/start\`, \`npm run x\`, \`test/a b\`.
<source srcset="docs/dark.svg"> <img src="docs/light.svg" alt="A picture">

\`\`\`sh
cat [x](nowhere.md) \`docs/b.md\`
\`\`\`
`;
  expect(referencesOf(text)).toEqual([
    "docs/a.md#part",
    "#part",
    "docs/dark.svg",
    "docs/light.svg",
    "scripts/a.ts",
    "docs/*.md",
  ]);
});

test("reports a broken reference with its file", () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "references-")));
  try {
    const page = path.join(folder, "a.md");
    const headings = "# One, two\n\n# Again\n\n# Again\n\n";
    const good = "[1](a.md) [2](a.md#one-two) [3](#again) [4](#again-1) [5](#again) ";
    const bad =
      "[6](b.md) [7](#three) [8](a.md#again-2) `docs/c.md` `test/*.ts` docs/decisions/0099, docs/d.md.";
    writeFileSync(page, headings + good + bad);
    const broken = ["b.md", "#three", "a.md#again-2", "docs/c.md", "test/*.ts"];
    expect(brokenReferences([page], folder)).toEqual(broken.map((each) => `a.md: ${each}`));
    const missing = ["docs/c.md", "docs/decisions/0099", "docs/d.md"];
    expect(missingPages([page], folder)).toEqual(missing.map((each) => `a.md: ${each}`));
    expect(filesBelow(folder, [".md"])).toEqual([page]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
