import { METHODS } from "codexwright/protocol";
import { ROWS, type MethodRow } from "./rows.ts";

/** Returns the tables of docs/engine-methods.md: one for each state. */
export function tables(): string {
  return (["done", "refused", "later"] as const)
    .map((state) => {
      const rows = Object.entries(ROWS)
        .filter(([, row]) => row.state === state)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([method, row]) => [`\`${method}\``, stabilityOf(method), answerOf(row)]);
      const title = `${state[0]?.toUpperCase()}${state.slice(1)} (${rows.length})`;
      return `## ${title}\n\n${tableOf([["method", "in Codex", "the answer"], ...rows])}`;
    })
    .join("\n\n");
}

function stabilityOf(method: string): string {
  return METHODS.clientRequests[method]?.stability ?? "stable";
}

function answerOf({ state, answers }: MethodRow): string {
  if (answers !== undefined) return answers;
  if (state === "done") return "as Codex";
  return state === "refused" ? "error -32600, `not_supported`" : "error -32600, unknown method";
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(head), rule, ...body.map((row) => line(row))].join("\n");
}
