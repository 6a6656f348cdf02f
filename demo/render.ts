import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { TurnUsage } from "codexwright";
import type { FileUpdateChange, ThreadItem } from "codexwright/protocol";
import type { Style } from "./style.ts";

type Command = Extract<ThreadItem, { type: "commandExecution" }>;

/** Longer texts lose their middle: the first lines say what it is, the last how it ended. */
const OUTPUT_LINES = 16;
const DIFF_LINES = 60;

/** Text that is safe to print: a command's or a model's own control sequences must not reach the terminal. */
export function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\P{Cc}\n\t]/gu, "");
}

/** `$ command`, without the shell that Codex wraps it in. */
export function commandLine(command: string, style: Style): string {
  const [first = "", ...rest] = clip(linesOf(clean(unwrapped(command))), OUTPUT_LINES);
  return [`${style.dim("$")} ${style.bold(first)}`, ...rest.map((line) => `  ${style.bold(line)}`), ""].join(
    "\n",
  );
}

/** The output of a command, indented, and how it ended where that is worth a word. */
export function commandOutcome(item: Command, style: Style): string {
  const lines = clip(linesOf(clean(item.aggregatedOutput ?? "")), OUTPUT_LINES).map(style.dim);
  if (item.exitCode) lines.push(style.red(`exit code ${item.exitCode}`));
  else if (item.status === "declined") lines.push(style.red("declined"));
  return indented(lines);
}

/** The name of a changed file, what became of it, and its diff. */
export function fileChange(change: FileUpdateChange, folder: string, style: Style): string {
  const diff = diffLines(change);
  const count = (mark: string): number => diff.filter((line) => line.startsWith(mark)).length;
  const fate = { add: " (new)", delete: " (deleted)", update: "", "(unknown)": "" }[change.kind.type] ?? "";
  const moved = change.kind.type === "update" && change.kind.move_path;
  const name = nameOf(change.path, folder) + (moved ? ` → ${nameOf(moved, folder)}` : "");
  const counts = `${style.green(`+${count("+")}`)} ${style.red(`-${count("-")}`)}`;
  const body = clip(diff, DIFF_LINES).map((line) => colouredDiffLine(line, style));
  return `${style.bold(clean(name))}${fate} ${counts}\n${indented(body)}`;
}

/** One line of a unified diff in its colour. */
export function colouredDiffLine(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}

/** What a turn cost: `1,234 tokens (1,100 in, of these 900 cached; 134 out) in 2.5 s`. */
export function usageLine(usage: TurnUsage | undefined, durationMs: number): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  if (!usage) return `done in ${seconds}`;
  const number = (value: number): string => value.toLocaleString("en");
  const cached = usage.cachedInputTokens > 0 ? `, of these ${number(usage.cachedInputTokens)} cached` : "";
  const parts = `${number(usage.inputTokens)} in${cached}; ${number(usage.outputTokens)} out`;
  return `${number(usage.totalTokens)} tokens (${parts}) in ${seconds}`;
}

/** Lines with a margin of two, each ended. */
export function indented(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "\n" : `  ${line}\n`)).join("");
}

/** The script inside `/bin/bash -lc '…'`; anything else as it is. */
function unwrapped(command: string): string {
  const script = /^(?:\S*\/)?(?:ba|z|da)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  if (script === undefined) return command;
  if (/^'[\s\S]*'$/.test(script)) return script.slice(1, -1).replaceAll(String.raw`'\''`, "'");
  if (/^"[\s\S]*"$/.test(script)) return script.slice(1, -1).replaceAll(/\\(["$`\\])/g, "$1");
  return script;
}

/** On the wire an update has hunks, but a new or deleted file comes as its bare content. */
function diffLines({ kind, diff }: FileUpdateChange): string[] {
  const lines = linesOf(clean(diff));
  if (kind.type === "add") return lines.map((line) => `+${line}`);
  return kind.type === "delete" ? lines.map((line) => `-${line}`) : lines;
}

function nameOf(file: string, folder: string): string {
  const relative = path.relative(folder, file);
  return relative.startsWith("..") ? file : relative;
}

function linesOf(text: string): string[] {
  const body = text.replace(/\n+$/, "");
  return body === "" ? [] : body.split("\n");
}

function clip(lines: readonly string[], limit: number): string[] {
  if (lines.length <= limit) return [...lines];
  const half = Math.floor(limit / 2);
  const hidden = lines.length - 2 * half;
  return [...lines.slice(0, half), `… ${hidden} more lines …`, ...lines.slice(-half)];
}
