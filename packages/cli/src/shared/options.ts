import { Option, type Command } from "commander";
import { usageError } from "./command-error.ts";
import type { Implementation } from "./invoke.ts";

/** The options that all commands share. */
export interface SharedOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly cwd?: string;
  readonly codexPath?: string;
  /** Whether our own app-server replaces Codex, for commands that take the option. */
  readonly engine?: boolean;
}

/** Adds the options that all commands share. */
export function shared(command: Command): Command {
  return command
    .option("--json", "print only JSON on stdout, one object per line")
    .option("-q, --quiet", "leave out progress and hints")
    .option("-C, --cwd <folder>", "the folder to work in")
    .option("--codex-path <file>", "the Codex binary; default: CODEX_PATH, `codex` on PATH, @openai/codex");
}

/** Adds the option of commands that also work without Codex. */
export function withEngine(command: Command): Command {
  const option = new Option("--engine", "use the app-server of codexwright itself instead of Codex");
  return command.addOption(option.conflicts("codexPath"));
}

/** Adds examples to the end of a command's help. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`);
}

/**
 * Registers a command's implementation. It is loaded only when the command runs, because `--help` must be
 * fast.
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

/**
 * Throws on an empty value, for example from `--cwd "$FOLDER"` with an unset variable. An empty value does
 * not mean the default.
 */
function requireValues(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.some((each) => typeof each === "string" && each.trim() === "")) {
      throw usageError(`${option.long} is empty`);
    }
  }
}

/** Parses an option that may be used only once. By default, the parser would silently use the last value. */
export function once(name: string): (value: string, before?: string) => string {
  return (value, before) => {
    if (before === undefined) return value;
    throw usageError(`${name} may be used only once`);
  };
}

/** Parses a whole number ≥ 1. */
export function count(name: string): (value: string) => number {
  return (value) => {
    const number = Number(value.replaceAll("_", ""));
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw usageError(`${name} is ${value}: must be a whole number ≥ 1`);
  };
}

/** Parses the number of a port. 0 means any free port. */
export function port(name: string): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number < 65_536) return number;
    throw usageError(`${name} is ${value}: must be a whole number from 0 to 65535`);
  };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Parses `90`, `90s`, `5m` or `1h` to milliseconds. A number without a unit means seconds. */
export function duration(name: string): (value: string) => number {
  return (value) => {
    const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(value) ?? [];
    const ms = Number(number) * (UNITS[unit] ?? 0);
    if (ms > 0 && ms < 2 ** 31) return Math.round(ms);
    throw usageError(`${name} is ${value}: must be a time such as 90s, 5m or 1h`);
  };
}
