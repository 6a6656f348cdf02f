import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { KEYS, type Key } from "../../packages/orchestrator/src/workflow/keys.ts";

const PAGE = "docs/guide/workflow-md.md";
const START = "<!-- keys: written by `npm run snippets` -->";
const END = "<!-- end of keys -->";

/** Replaces the tables of keys between the marks of the page. */
export function withKeys(page: string): string {
  const [before, rest = ""] = page.split(START);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${PAGE} has no marks for the tables of keys`);
  return `${before}${START}\n\n${tables()}\n${END}${after}`;
}

/** Writes the tables into the page. With `check`, reports a page that differs instead. */
export function syncWorkflowPage(root: string, { check }: { readonly check: boolean }): string[] {
  const file = path.join(root, PAGE);
  const before = readFileSync(file, "utf8");
  const after = withKeys(before);
  if (after === before) return [];
  if (check) return [`${PAGE} differs from the table of keys: npm run snippets`];
  writeFileSync(file, after);
  return [];
}

function tables(): string {
  return Object.entries(KEYS)
    .map(([section, keys]) => tableOf(section, Object.values(keys as Record<string, Key<unknown>>)))
    .join("\n");
}

function tableOf(section: string, keys: readonly Key<unknown>[]): string {
  const rows = keys.map((key) => [
    `\`${section}.${key.key}\`${key.from === "SPEC.md" ? "" : " ⁺"}`,
    key.type.name,
    key.default,
    key.what,
    key.applies,
  ]);
  const table = [["key", "type", "default", "meaning", "a change applies"], ...rows];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  const [head = [], ...body] = table;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("");
}
