import type { Command, CommanderError } from "commander";

/** Rewords an error of the parser like our own errors. */
export function ourWords(error: CommanderError, program: Command, argv: readonly string[]): string {
  // A command that needs a subcommand was used without one.
  if (error.code === "commander.help") {
    const command = commandIn(program, argv);
    const names = command.commands.map((each) => each.name()).join(", ");
    return `\`${command.name()}\` needs one of its commands: ${names}`;
  }
  return error.message.replace(/^error: /, "");
}

function commandIn(program: Command, argv: readonly string[]): Command {
  const [name, ...rest] = argv.filter((word) => !word.startsWith("-"));
  const child = program.commands.find((each) => each.name() === name);
  return child ? commandIn(child, rest) : program;
}
