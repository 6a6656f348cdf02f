import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { tables } from "../live/differential/page.ts";

const PAGE = path.join(import.meta.dirname, "../../../../docs/engine-differences.md");
const START = "<!-- differences -->\n\n";

verifies("engine.differential.page", "docs/engine-differences.md has the list of the comparison", () => {
  const page = readFileSync(PAGE, "utf8");
  const at = page.indexOf(START) + START.length;
  const expected = `${page.slice(0, at)}${tables()}\n`;
  // Set this variable to write the page.
  if (process.env["CODEXWRIGHT_WRITE_DIFFERENCES"] !== undefined) writeFileSync(PAGE, expected);
  expect(readFileSync(PAGE, "utf8")).toBe(expected);
});
