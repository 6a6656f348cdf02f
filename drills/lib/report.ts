import { readFileSync, writeFileSync } from "node:fs";
import type { DrillResult } from "./run-drill.ts";

/** Describes the result of one drill for the terminal. */
export function told({ drill, status, why, report, seconds }: DrillResult): string {
  const sights = (report?.sights ?? []).map(
    ({ what, outcome, times, medianMs, mostMs }) =>
      `       ${what}: ${outcome}${times > 1 ? `, ${times} times` : ""} (${round(medianMs)}${times > 1 ? `, at most ${round(mostMs)}` : ""} ms)`,
  );
  const head = `${status === "failed" ? "FAIL" : status === "passed" ? "ok  " : "--  "} ${drill.name}: ${drill.fault}`;
  return [
    status === "not run" ? `${head} (not run: ${why ?? ""})` : `${head} (${seconds.toFixed(1)} s)`,
    ...sights,
    ...(report?.facts ?? []).map((fact) => `       ${fact}`),
    ...(status === "failed" ? [why ?? ""] : []),
  ].join("\n");
}

/**
 * The table of docs/reliability.md: the fault, what a user sees, how long it takes, and what is left behind.
 */
export function table(results: readonly DrillResult[]): string {
  const rows = results.flatMap(({ drill, status, why, report, left }) => {
    if (status === "not run") return [`| ${drill.fault} | not run: ${why ?? ""} | | | |`];
    return (report?.sights ?? []).map(({ what, outcome, times, medianMs, mostMs }, n) => {
      const [fault, remains] = n === 0 ? [`**${drill.fault}**`, left.join(", ") || "nothing"] : ["", ""];
      const took = times > 1 ? `${round(medianMs)}, at most ${round(mostMs)}` : round(medianMs);
      return `| ${fault} | ${what} | ${outcome} | ${times} | ${took} | ${remains} |`;
    });
  });
  const facts = results.flatMap(({ drill, report }) =>
    (report?.facts ?? []).map((fact) => `- ${drill.name}: ${fact}`),
  );
  return [
    "| fault | operation | a user sees | times | settled after (ms) | left behind |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    ...(facts.length > 0 ? ["", ...facts] : []),
  ].join("\n");
}

/** Replaces the text between the two markers of a page. */
export function writeBetween(file: string, mark: string, text: string): void {
  const [begin, end] = [`<!-- ${mark}: begin -->`, `<!-- ${mark}: end -->`];
  const page = readFileSync(file, "utf8");
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${file} does not have the marks of "${mark}"`);
  writeFileSync(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}

function round(ms: number): string {
  return Math.round(ms).toLocaleString("en");
}
