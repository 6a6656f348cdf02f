import type { Command, CommanderError } from "commander";

/** What the parser has against a command line, in the words of our errors. */
export function ourWords(error: CommanderError, program: Command, argv: readonly string[]): string {
  // A command that has commands of its own was given none.
  if (error.code === "commander.help") {
    const command = commandIn(program, argv);
    const names = command.commands.map((each) => each.name()).join(", ");
    return `give one of the commands of \`${command.name()}\`: ${names}`;
  }
  return error.message.replace(/^error: /, "");
}

function commandIn(program: Command, argv: readonly string[]): Command {
  const [name, ...rest] = argv.filter((word) => !word.startsWith("-"));
  const child = program.commands.find((each) => each.name() === name);
  return child ? commandIn(child, rest) : program;
}
