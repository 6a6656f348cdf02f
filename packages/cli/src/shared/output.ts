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
 * Receives a command's results and remarks. With `--json`, stdout holds only JSON, one object per line;
 * without it, only text for people. Remarks are for people only and go to stderr.
 */
export interface Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** The colours for stdout. */
  readonly style: Style;
  /** The columns of the terminal, or 80; at least as many as the layout needs. */
  readonly width: number;
  /** Shows progress: on stdout if it is a terminal, otherwise on stderr, so that stdout holds only the result. */
  readonly progress: Progress;
  /** Prints text from any source on stdout; prints nothing with `--json`. */
  text(text: string): void;
  /**
   * Like `text`, but keeps the colours of our styles. Text from other sources must be passed through {@link
   * clean} first.
   */
  styled(text: string): void;
  /** Prints a line for programs on stdout; prints nothing without `--json`. */
  json(line: JsonLine): void;
  /** Prints a hint on stderr; prints nothing with `--quiet` or `--json`. */
  remark(text: string): void;
}

export interface Progress {
  /** The colours for the stream that shows the progress. */
  readonly style: Style;
  /** Like {@link Output.styled}. */
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

/** Prints text on stderr, separately from the results. The text must be styled for stderr. */
export function aside(text: string): void {
  writeStyled("stderr", text);
}

/** Reports an error: as a JSON line on stdout, or as text on stderr. Returns the exit code. */
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
