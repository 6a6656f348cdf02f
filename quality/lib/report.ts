import type { Outcome } from "./run-task.ts";

/** One line for each task, and the totals. */
export function report(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ task, solved, tokens, turns, ms, why }) => [
    solved ? "solved" : "failed",
    task,
    `${tokens.input + tokens.output}`,
    `${turns}`,
    seconds(ms),
    why === undefined ? "" : why.split("\n")[0]!.slice(0, 100),
  ]);
  const head = ["", "task", "tokens", "turns", "time", ""];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, at) => (at >= 2 && at <= 4 ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd();
  return [line(head), ...rows.map(line), "", totals(outcomes)].join("\n");
}

function totals(outcomes: readonly Outcome[]): string {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, each) => total + of(each), 0);
  const solved = sum((each) => (each.solved ? 1 : 0));
  const [input, cached, output] = [
    sum(({ tokens }) => tokens.input),
    sum(({ tokens }) => tokens.cached),
    sum(({ tokens }) => tokens.output),
  ];
  const turns = sum((each) => each.turns);
  return `${solved} of ${outcomes.length} solved, ${input} tokens read (${cached} cached), ${output} written, ${turns} turns, ${seconds(sum(({ ms }) => ms))}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
