import { CommanderError, type Command } from "commander";
import { EXIT, usageError } from "../shared/command-error.ts";
import { ourWords } from "../shared/parser-error.ts";

/** Another command of this program that runs in this process. */
export interface InnerCommand {
  /** Throws if this command line cannot run inside another command, before any work is done for it. */
  check(argv: readonly string[], options: { readonly json?: boolean }): void;
  /** Resolves to its exit code. The command prints its own errors. */
  run(argv: readonly string[]): Promise<number>;
}

/** Commands that open no connection, or whose connection does not end with the command. */
const UNFIT: ReadonlySet<string> = new Set([
  "record",
  "replay",
  "inspect",
  "doctor",
  "serve",
  "completion",
  "help",
]);

/** Lets one of our command lines run inside another. */
export function innerCommand(program: Command): InnerCommand {
  return {
    check(argv, { json }) {
      const [name = ""] = argv;
      const isKnown = program.commands.some((command) => command.name() === name);
      if (!isKnown || UNFIT.has(name)) {
        throw usageError(`the command after -- must talk to Codex, such as \`run\`; \`${name}\` does not`);
      }
      // With `--json`, stdout may hold only JSON, and the inner command prints there.
      if (json && !argv.includes("--json")) throw usageError("also pass --json to the command after --");
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
