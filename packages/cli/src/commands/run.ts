import { Option, type Command } from "commander";
import { action, count, duration, examples, once, shared, withEngine } from "../shared/options.ts";

export function register(program: Command): void {
  const command = turnOptions(
    withEngine(
      shared(
        program
          .command("run")
          .description("Give Codex a task in this folder, and watch its progress.")
          .argument("[task...]", "the task; piped text is appended; `-` reads the whole task from stdin"),
      ),
    ),
  )
    .option(
      "-f, --file <file>",
      "read the task from a file; appended to the task on the command line, if any",
      once("--file"),
    )
    .option("-i, --image <file>", "an image for the model, as a file or a URL; repeatable", collect)
    .option("--effort <effort>", "how much the model reasons, e.g. low, medium, high")
    .addOption(
      new Option(
        "-r, --resume <thread>",
        "continue a thread: its id, the first characters of the id, or its name",
      ).conflicts(["fork", "ephemeral"]),
    )
    .addOption(
      new Option("--last", "continue the thread that was used last in this folder").conflicts([
        "resume",
        "fork",
        "ephemeral",
      ]),
    )
    .option("--fork <thread>", "continue a copy of a thread")
    .option("--ephemeral", "do not store the thread")
    .option("--output-schema <file>", "a JSON Schema file; prints the answer as JSON that matches the schema")
    .option("-t, --tool <file>", "a module whose tools the model may call; repeatable", collect)
    .addOption(
      new Option(
        "--demo",
        "let a scripted model do a small job in a temporary folder; needs no login",
      ).conflicts(["file", "resume", "last", "fork", "outputSchema"]),
    );
  examples(
    command,
    'codexwright run "fix the failing test"',
    'codexwright run --sandbox read-only -q "what does this project do?"',
    "codexwright run --file task.md --json",
    'codexwright run --output-schema schema.json "list the TODOs" | jq .',
    'codexwright run --resume 0199… "now add a test"',
    "codexwright run --demo",
  );
  action(command, async () => (await import("../run/run.ts")).run);
}

/** Adds the options of every command that runs a turn. */
export function turnOptions(command: Command): Command {
  return command
    .option("-m, --model <model>", "the model; default: your configuration's model")
    .addOption(
      new Option("-s, --sandbox <mode>", "what commands may access; default: workspace-write").choices([
        "read-only",
        "workspace-write",
        "danger-full-access",
      ]),
    )
    .addOption(
      new Option("-a, --approval <policy>", "when to ask for approval; default: on-request").choices([
        "untrusted",
        "on-request",
        "never",
      ]),
    )
    .option(
      "-y, --yes",
      "accept approvals and permissions without asking; without this option and without a terminal, they are declined",
    )
    .option("--timeout <time>", "stop the turn after this time, e.g. 90s, 5m", duration("--timeout"))
    .option(
      "--max-tokens <count>",
      "stop the turn when it has used more tokens than this",
      count("--max-tokens"),
    );
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
