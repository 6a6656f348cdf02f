import { DIFFERENCES, type OnPurpose } from "./differences.ts";

const AREAS: readonly OnPurpose["area"][] = [
  "protocol",
  "model requests",
  "commands",
  "approvals",
  "patches",
  "threads",
  "errors",
];

/** Returns the tables of docs/engine-differences.md, one for each area. */
export function tables(): string {
  return AREAS.flatMap((area) => {
    const rows = DIFFERENCES.filter((each) => each.area === area && !each.races);
    if (rows.length === 0) return [];
    const cells = [
      ["Codex", "the engine", "why"],
      ...rows.map(({ codex, engine, reason }) => [codex, engine, reason]),
    ];
    return [`## ${area[0]?.toUpperCase()}${area.slice(1)}\n\n${tableOf(cells)}`];
  }).join("\n\n");
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
