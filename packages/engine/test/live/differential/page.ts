import type { EngineDifference } from "./difference.ts";
import { DIFFERENCES } from "./differences/index.ts";

const AREAS: readonly EngineDifference["area"][] = [
  "protocol",
  "model requests",
  "commands",
  "approvals",
  "patches",
  "threads",
  "reviews",
  "MCP servers",
  "errors",
];

/** Returns the tables of docs/engine-differences.md: intended differences by area, and what is missing. */
export function tables(): string {
  const shown = DIFFERENCES.filter(({ races }) => !races);
  const sections = AREAS.map((area) => ({
    title: `${area[0]?.toUpperCase()}${area.slice(1)}`,
    rows: shown.filter((each) => each.area === area && !each.gap),
  }));
  const missing = { title: "Not finished", rows: shown.filter(({ gap }) => gap) };
  return [...sections, missing]
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => {
      const cells = rows.map(({ codex, engine, reason }) => [codex, engine, reason]);
      return `## ${title}\n\n${tableOf([["Codex", "the engine", "why"], ...cells])}`;
    })
    .join("\n\n");
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map((row) => line(row))].join(
    "\n",
  );
}
