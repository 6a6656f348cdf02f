import type { Command } from "commander";
import { usageError } from "./command-error.ts";
import type { Implementation } from "./invoke.ts";

/** The options of every command. */
export interface SharedOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly cwd?: string;
  readonly codexPath?: string;
}

/** Adds the options that every command has. */
export function shared(command: Command): Command {
  return command
    .option("--json", "print one JSON object a line on stdout, and nothing else there")
    .option("-q, --quiet", "leave out what is only good to know")
    .option("-C, --cwd <folder>", "work in this folder")
    .option("--codex-path <file>", "the Codex binary; default: CODEX_PATH, `codex` on PATH, @openai/codex");
}

/** Adds examples to the end of a command's help. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`);
}

/**
 * Runs a command's implementation. Only now it is loaded, and all it needs: `--help` must be fast.
 *
 * @param load imports the module of the implementation
 */
export function action<Options extends SharedOptions>(
  command: Command,
  load: () => Promise<Implementation<Options>>,
): Command {
  return command.action(async () => {
    requireValues(command);
    const { invoke } = await import("./invoke.ts");
    await invoke(command.opts<Options>(), command.args, load);
  });
}

/** Refuses an empty value, such as that of `--cwd "$FOLDER"` with a variable that is not set: it is not a default. */
function requireValues(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((each) => typeof each === "string" && each.trim() === "")) {
      throw usageError(`${option.long} is empty`);
    }
  }
}

/** Reads the value of an option that has only one. The parser would use the last one, and ignore the others. */
export function once(name: string): (value: string, before?: string) => string {
  return (value, before) => {
    if (before === undefined) return value;
    throw usageError(`${name} was given twice, and takes one value`);
  };
}

/** Reads a whole number from 1 on, for an option. */
export function count(name: string): (value: string) => number {
  return (value) => {
    const number = Number(value.replaceAll("_", ""));
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw usageError(`${name} is ${value}: give a whole number from 1`);
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads `90`, `90s`, `5m` or `1h` as milliseconds; a bare number is seconds. */
export function duration(name: string): (value: string) => number {
  return (value) => {
    const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(value) ?? [];
    const ms = Number(number) * (UNITS[unit] ?? 0);
    if (ms > 0 && ms < 2 ** 31) return Math.round(ms);
    throw usageError(`${name} is ${value}: give a time such as 90s, 5m or 1h`);
  };
}
