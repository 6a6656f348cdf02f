import type { Command } from "commander";
import { examples } from "../shared/options.ts";

/**
 * Declares our own `help` command. For an unknown command, the parser's own `help` would show the help of the whole
 * program.
 */
export function register(program: Command): void {
  program.helpCommand(false);
  const command = program
    .command("help")
    .description("Show the help for a command.")
    .argument("[command...]", "the command");
  examples(command, "codexwright help run", "codexwright help threads list");
  command.action((names: readonly string[]) => {
    const find = (parent: Command, name: string): Command =>
      parent.commands.find((each) => each.name() === name) ??
      program.error(`unknown command '${names.join(" ")}'`);
    names.reduce(find, program).outputHelp();
  });
}
