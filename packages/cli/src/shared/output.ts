import { explain } from "./explain.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { styleFor, type Style } from "./style.ts";
import { namingLimit } from "./system-limit.ts";
import { clean, jsonText } from "./text.ts";

/** One line of `--json`; docs/cli/json-lines.schema.json describes each `type`. */
export interface JsonLine {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Where a command's results and remarks go. With `--json` stdout holds nothing but JSON, one object a line;
 * without it nothing but text for people. Remarks are for people only and go to stderr.
 */
export interface Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Colours of stdout. */
  readonly style: Style;
  /** Columns of the terminal, or 80; no fewer than text can be laid out in. */
  readonly width: number;
  /** Text for people, on stdout; nothing with `--json`. */
  text(text: string): void;
  /** A line for programs, on stdout; nothing without `--json`. */
  json(line: JsonLine): void;
  /** What is good to know, on stderr; nothing with `--quiet` or `--json`. */
  remark(text: string): void;
}

const NARROWEST = 20;

export function outputOf(options: { readonly json?: boolean; readonly quiet?: boolean }): Output {
  const { json: isJson = false, quiet: isQuiet = false } = options;
  return {
    isJson,
    isQuiet,
    isTerminal: process.stdout.isTTY,
    style: styleFor(process.stdout),
    get width() {
      return Math.max(NARROWEST, process.stdout.columns || Number(process.env["COLUMNS"]) || 80);
    },
    text(text) {
      if (!isJson && text !== "") process.stdout.write(text);
    },
    json(line) {
      if (isJson) process.stdout.write(`${jsonText(line)}\n`);
    },
    remark(text) {
      if (!isJson && !isQuiet) process.stderr.write(`${styleFor(process.stderr).dim(clean(text))}\n`);
    },
  };
}

/** Tells of an error where the reader looks for it; the code to exit with. */
export function tellError(thrown: unknown, isJson: boolean): number {
  const error = namingLimit(thrown);
  const exitCode = exitCodeOf(error);
  const { code, message, advice } = explain(error);
  if (isJson) {
    process.stdout.write(`${jsonText({ type: "error", code, message, advice, exitCode })}\n`);
  } else {
    const style = styleFor(process.stderr);
    const lines = [`${style.red("error")} ${code}: ${message}`, ...advice.map((line) => `  ${line}`)];
    process.stderr.write(`${lines.join("\n")}\n`);
  }
  return exitCode;
}
