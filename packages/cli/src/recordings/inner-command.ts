import { CommanderError, type Command } from "commander";
import { EXIT, usageError } from "../shared/command-error.ts";
import { ourWords } from "../shared/parser-error.ts";

/** Another command of ours, to run in this process. */
export interface InnerCommand {
  /** Refuses a command line that cannot be run inside another one, before anything is done for it. */
  check(argv: readonly string[], options: { readonly json?: boolean }): void;
  /** Resolves to its exit code. It prints its errors itself. */
  run(argv: readonly string[]): Promise<number>;
}

/** Commands that open no connection of their own, or none that ends with them. */
const UNFIT: ReadonlySet<string> = new Set([
  "record",
  "replay",
  "inspect",
  "doctor",
  "serve",
  "completion",
  "help",
]);

/** Makes a command line of ours run inside another one. */
export function innerCommand(program: Command): InnerCommand {
  return {
    check(argv, { json }) {
      const [name = ""] = argv;
      const isKnown = program.commands.some((command) => command.name() === name);
      if (!isKnown || UNFIT.has(name)) {
        throw usageError(`give a command that talks to Codex after --, such as \`run\`, not \`${name}\``);
      }
      // With `--json` stdout is JSON alone, and it is the inner command that prints there.
      if (json && !argv.includes("--json")) throw usageError("give --json to the command after -- as well");
    },
    async run(argv) {
      try {
        await program.parseAsync([...argv], { from: "user" });
        return Number(process.exitCode ?? EXIT.done);
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        if (error.exitCode === 0) return EXIT.done;
        throw usageError(ourWords(error, program, argv));
      }
    },
  };
}
