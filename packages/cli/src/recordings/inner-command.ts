import { CommanderError, type Command } from "commander";
import { EXIT, usageError } from "../shared/command-error.ts";

/** Runs another command of ours in this process; gives its exit code. */
export type RunInner = (argv: readonly string[]) => Promise<number>;

/** Commands that open no connection of their own, or none that ends with them. */
const UNFIT: ReadonlySet<string> = new Set(["record", "replay", "inspect", "doctor", "serve", "completion"]);

/** With `--json` stdout is JSON alone, and it is the inner command that prints there. */
export function requireInnerJson({ json }: { readonly json?: boolean }, argv: readonly string[]): void {
  if (json && !argv.includes("--json")) throw usageError("give --json to the command after -- as well");
}

/** Makes a command line of ours run inside another one. */
export function innerRunner(program: Command): RunInner {
  return async (argv) => {
    const [name = ""] = argv;
    const isKnown = program.commands.some((command) => command.name() === name);
    if (!isKnown || UNFIT.has(name)) {
      throw usageError(`give a command that talks to Codex after --, such as \`run\`, not \`${name}\``);
    }
    try {
      await program.parseAsync([...argv], { from: "user" });
      return Number(process.exitCode ?? EXIT.done);
    } catch (error) {
      // It has told the user itself.
      if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
      throw error;
    }
  };
}
