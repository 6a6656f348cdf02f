import path from "node:path";
import { expect, test } from "vitest";
import { syncWorkflowPage, withKeys } from "../../../scripts/docs/workflow-page.ts";
import { verifies } from "@codexwright/test-support/verifies";

const ROOT = path.resolve(import.meta.dirname, "../../..");

verifies("fleet.workflow.reference", "the page about WORKFLOW.md has the keys as they are checked", () => {
  expect(syncWorkflowPage(ROOT, { check: true })).toEqual([]);
});

test("a page with other tables is written again", () => {
  const page = (tables: string): string =>
    `Before\n<!-- keys: written by \`npm run snippets\` -->\n${tables}<!-- end of keys -->\nAfter\n`;
  const text = withKeys(page("| old |\n"));
  expect(text).not.toContain("| old |");
  expect(text).toContain("| `polling.interval_ms` ");
  expect(withKeys(text)).toBe(text);
  expect(() => withKeys("no marks")).toThrow("has no marks");
});
