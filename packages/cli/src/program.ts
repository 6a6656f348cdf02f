import { Command, CommanderError } from "commander";
import { COMMANDS } from "./commands/index.ts";
import { EXIT, usageError } from "./shared/command-error.ts";
import { ourWords } from "./shared/parser-error.ts";
import { allowHangUp, helpWidth, write } from "./shared/terminal.ts";
import { wrapped } from "./shared/wrapped.ts";

const NAME = "codexwright";

/**
 * Declares the whole command line: names, options and help. A command's implementation is loaded only when it
 * runs.
 */
export function makeProgram(version: string): Command {
  const program = new Command(NAME)
    .description("Codex from the shell, for people and programs.")
    .version(version)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
    // The parser's messages quote the arguments, so they are reported like all other errors.
    .configureOutput({
      getOutHelpWidth: helpWidth,
      writeOut: (text) => write("stdout", wrapped(text, helpWidth())),
      writeErr: () => {},
    })
    .addHelpText(
      "after",
      `
Examples:
  $ ${NAME} run "fix the failing test"          give Codex a task in this folder
  $ ${NAME} run --demo                          try it without a login
  $ git diff | ${NAME} run --file - --json      use it from a program

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 not logged in, 5 time or budget, 6 database, 130 interrupted.
Nothing is collected, and data is sent only to Codex.`,
    );
  for (const register of COMMANDS) register(program);
  everywhere(program, (command) => command.exitOverride());
  return program;
}

/** Runs a command line and returns the exit code. */
export async function run(argv: readonly string[], version: string): Promise<number> {
  const program = makeProgram(version);
  allowHangUp();
  if (argv.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const isJson = wordsOf(argv).includes("--json");
    const isParsers = error instanceof CommanderError;
    return await tell(isParsers ? usageError(ourWords(error, program, argv)) : error, isJson);
  }
}

/** Leaves out the words after `--`, which belong to another command. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end === -1 ? argv : argv.slice(0, end);
}

async function tell(error: unknown, isJson: boolean): Promise<number> {
  const { tellError } = await import("./shared/output.ts");
  return tellError(error, isJson);
}

function everywhere(command: Command, apply: (command: Command) => void): void {
  apply(command);
  for (const child of command.commands) everywhere(child, apply);
}
