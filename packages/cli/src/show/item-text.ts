import path from "node:path";
import { scriptOf, type TurnUsage } from "codexwright";
import type { FileUpdateChange, ThreadItem, TurnPlanStep } from "codexwright/protocol";
import type { Style } from "../shared/style.ts";
import { clean, linesOf, visible } from "../shared/text.ts";

type CommandItem = Extract<ThreadItem, { type: "commandExecution" }>;

/** The limits for a long output or diff, and for each of its lines. */
const OUTPUT_LINES = 10;
const DIFF_LINES = 60;
const LINE_CHARACTERS = 500;

/** Formats `$ command`, without the shell that Codex wraps around it. */
export function commandLine(command: string, style: Style): string {
  return scriptLines(scriptOf(command) ?? command, style);
}

/** Formats `$ script`, unchanged. */
export function scriptLines(script: string, style: Style): string {
  const [first = "", ...rest] = linesOf(visible(script));
  return [`${style.dim("$")} ${style.bold(first)}`, ...rest.map((line) => `  ${style.bold(line)}`), ""].join(
    "\n",
  );
}

/**
 * Returns the last lines of an output, preceded by the number of hidden lines.
 *
 * @param before lines of the output that were already dropped
 */
export function foldedOutput(
  output: string,
  style: Style,
  limit: number = OUTPUT_LINES,
  before: number = 0,
): string[] {
  const lines = linesOf(output);
  const shown = lines.slice(-limit).map((line) => shortened(clean(lastWritten(line))));
  const hidden = before + lines.length - shown.length;
  if (hidden > 0) shown.unshift(`… ${hidden} more ${hidden === 1 ? "line" : "lines"}`);
  return shown.map((line) => style.dim(line));
}

/** Returns the final text of a line that was overwritten with carriage returns, as progress bars do. */
function lastWritten(line: string): string {
  const text = line.replace(/\r+$/, "");
  return text.slice(text.lastIndexOf("\r") + 1);
}

/** Shortens a line that is too long to read. */
export function shortened(line: string): string {
  const hidden = line.length - LINE_CHARACTERS;
  if (hidden <= 0) return line;
  // Do not cut a surrogate pair.
  return `${line.slice(0, LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}… ${hidden} more characters`;
}

/** The end of a command's output, and its exit code or status if it did not succeed. */
export function commandOutcome(item: CommandItem, style: Style): string {
  const lines = foldedOutput(item.aggregatedOutput ?? "", style);
  if (item.status === "declined") lines.push(style.red("declined"));
  else if (item.exitCode) lines.push(style.red(clean(`exit code ${item.exitCode}`)));
  else if (item.status === "failed") lines.push(style.red("failed"));
  return indented(lines);
}

/** Formats the changed files of an item with their diffs. */
export function fileChanges(changes: readonly FileUpdateChange[], folder: string, style: Style): string {
  return changes.map((change) => fileChange(change, folder, style)).join("\n");
}

function fileChange(change: FileUpdateChange, folder: string, style: Style): string {
  const diff = diffLines(change);
  const { added, removed } = lineCounts(change);
  const fate = { add: " (new)", delete: " (deleted)", update: "", "(unknown)": "" }[change.kind.type] ?? "";
  const moved = change.kind.type === "update" && change.kind.move_path;
  const name = nameOf(change.path, folder) + (moved ? ` → ${nameOf(moved, folder)}` : "");
  const hidden = diff.length - DIFF_LINES;
  const body = diff.slice(0, DIFF_LINES).map((line) => colouredDiffLine(shortened(line), style));
  if (hidden > 0) body.push(style.dim(`… ${hidden} more lines`));
  return `${style.bold(clean(name))}${fate} ${style.green(`+${added}`)} ${style.red(`-${removed}`)}\n${indented(body)}`;
}

/** Counts the lines that a change adds and removes. */
export function lineCounts(change: FileUpdateChange): { readonly added: number; readonly removed: number } {
  const diff = diffLines(change);
  const count = (mark: string): number => diff.filter((line) => line.startsWith(mark)).length;
  return { added: count("+"), removed: count("-") };
}

function colouredDiffLine(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}

/** On the wire an update has hunks, but a new or deleted file has only its content. */
function diffLines({ kind, diff }: FileUpdateChange): string[] {
  const text = visible(diff.replaceAll("\r\n", "\n"));
  if (kind.type === "add" || kind.type === "delete") {
    const mark = kind.type === "add" ? "+" : "-";
    return text === ""
      ? []
      : text
          .replace(/\n$/, "")
          .split("\n")
          .map((line) => mark + line);
  }
  const lines = linesOf(text);
  // The server appends the new path of a moved file, which we show beside its name.
  const moved = kind.type === "update" && kind.move_path && lines.at(-1)?.startsWith("Moved to: ");
  return moved ? linesOf(lines.slice(0, -1).join("\n")) : lines;
}

const BOXES: Readonly<Record<string, string>> = { completed: "[x]", inProgress: "[>]", pending: "[ ]" };

/** Formats a plan as a checklist. */
export function checklist(plan: readonly TurnPlanStep[], style: Style): string[] {
  return plan.map(({ step, status }) => {
    const line = `${BOXES[status] ?? "[ ]"} ${clean(step)}`;
    if (status === "completed") return style.green(line);
    return status === "inProgress" ? style.bold(line) : style.dim(line);
  });
}

/** Formats what a turn cost: `1,234 tokens (1,100 in, of these 900 cached; 134 out) in 2.5 s`. */
export function usageLine(usage: TurnUsage | undefined, durationMs: number): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (!usage) return seconds;
  const cached = usage.cachedInputTokens > 0 ? `, of these ${number(usage.cachedInputTokens)} cached` : "";
  const parts = `${number(usage.inputTokens)} in${cached}; ${number(usage.outputTokens)} out`;
  return `${number(usage.totalTokens)} tokens (${parts}) in ${seconds}`;
}

export function number(value: number): string {
  // A server may send any value here.
  return clean(value.toLocaleString("en"));
}

/** Indents each non-empty line by two spaces, and ends every line with a newline. */
export function indented(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "\n" : `  ${line}\n`)).join("");
}

/** The file's path relative to the folder, or its whole path if it is outside. */
export function nameOf(file: string, folder: string): string {
  const relative = path.relative(folder, file);
  return relative.startsWith("..") ? file : relative;
}
