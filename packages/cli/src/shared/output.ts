import { explain } from "./explain.ts";
import { exitCodeOf } from "./exit-codes.ts";
import { styleFor, type Style } from "./style.ts";
import { namingLimit } from "./system-limit.ts";
import { write, writeStyled } from "./terminal.ts";
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
  /** Where a person sees what happens on the way: on stdout if it is a terminal, else on stderr, beside the result. */
  readonly progress: Progress;
  /** Text for people, whoever wrote it, on stdout; nothing with `--json`. */
  text(text: string): void;
  /** The same for text with colours of our styles, in which that of others was made {@link clean}. */
  styled(text: string): void;
  /** A line for programs, on stdout; nothing without `--json`. */
  json(line: JsonLine): void;
  /** What is good to know, on stderr; nothing with `--quiet` or `--json`. */
  remark(text: string): void;
}

export interface Progress {
  /** Colours of where it goes. */
  readonly style: Style;
  /** As {@link Output.styled}. */
  styled(text: string): void;
}

const NARROWEST = 20;

export function outputOf(options: { readonly json?: boolean; readonly quiet?: boolean }): Output {
  const { json: isJson = false, quiet: isQuiet = false } = options;
  return {
    isJson,
    isQuiet,
    isTerminal: process.stdout.isTTY,
    style: styleFor(process.stdout),
    progress: {
      style: process.stdout.isTTY ? styleFor(process.stdout) : styleFor(process.stderr),
      styled(text) {
        if (!isJson && text !== "") writeStyled(process.stdout.isTTY ? "stdout" : "stderr", text);
      },
    },
    get width() {
      return Math.max(NARROWEST, process.stdout.columns || Number(process.env["COLUMNS"]) || 80);
    },
    text(text) {
      if (!isJson) write("stdout", clean(text));
    },
    styled(text) {
      if (!isJson && text !== "") writeStyled("stdout", text);
    },
    json(line) {
      if (isJson) write("stdout", `${jsonText(line)}\n`);
    },
    remark(text) {
      if (!isJson && !isQuiet) aside(`${styleFor(process.stderr).dim(clean(text))}\n`);
    },
  };
}

/** Text that is styled for stderr, where it is out of the way of results. */
export function aside(text: string): void {
  writeStyled("stderr", text);
}

/** Tells of an error where the reader looks for it; the code to exit with. */
export function tellError(thrown: unknown, isJson: boolean): number {
  const error = namingLimit(thrown);
  const exitCode = exitCodeOf(error);
  const { code, message, advice } = explain(error);
  if (isJson) {
    write("stdout", `${jsonText({ type: "error", code, message, advice, exitCode })}\n`);
  } else {
    const style = styleFor(process.stderr);
    const lines = [`${style.red("error")} ${code}: ${message}`, ...advice.map((line) => `  ${clean(line)}`)];
    aside(`${lines.join("\n")}\n`);
  }
  return exitCode;
}
