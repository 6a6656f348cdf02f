import { Option, type Command } from "commander";
import { action, count, duration, examples, once, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = turnOptions(
    shared(
      program
        .command("run")
        .description("Give Codex a task in this folder, and see how it does it.")
        .argument("[task...]", "the task; piped text follows it; `-`: all of it is on stdin"),
    ),
  )
    .option(
      "-f, --file <file>",
      "read the task from a file; behind the words of the task, if there are any",
      once("--file"),
    )
    .option("-i, --image <file>", "an image for the model, a file or a URL; again for more", collect)
    .option("--effort <effort>", "how much the model thinks, e.g. low, medium, high")
    .addOption(
      new Option(
        "-r, --resume <thread>",
        "go on with a thread: its id, the beginning of it, or its name",
      ).conflicts(["fork", "ephemeral"]),
    )
    .addOption(
      new Option("--last", "go on with the thread that was used last in this folder").conflicts([
        "resume",
        "fork",
        "ephemeral",
      ]),
    )
    .option("--fork <thread>", "go on with a copy of a thread")
    .option("--ephemeral", "keep nothing of the thread")
    .option("--output-schema <file>", "a JSON Schema; the answer is JSON that fits, and is printed so")
    .option("-t, --tool <file>", "a module whose tools the model may call; again for more", collect)
    .addOption(
      new Option(
        "--demo",
        "a scripted model does a small job in a temporary folder; needs no login",
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

/** The options of every command that conducts a turn. */
export function turnOptions(command: Command): Command {
  return command
    .option("-m, --model <model>", "the model; default: the one of your configuration")
    .addOption(
      new Option("-s, --sandbox <mode>", "what commands may touch; default: workspace-write").choices([
        "read-only",
        "workspace-write",
        "danger-full-access",
      ]),
    )
    .addOption(
      new Option("-a, --approval <policy>", "when to ask; default: on-request").choices([
        "untrusted",
        "on-request",
        "never",
      ]),
    )
    .option("-y, --yes", "accept whatever is asked; without a terminal it is declined otherwise")
    .option("--timeout <time>", "end the turn after this time, e.g. 90s, 5m", duration("--timeout"))
    .option("--max-tokens <count>", "end the turn when it has used more tokens", count("--max-tokens"));
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
