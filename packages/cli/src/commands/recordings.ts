import { Option, type Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

/** The kinds of rows in a timeline. */
const KINDS: readonly string[] = ["request", "question", "turn", "item", "error", "event", "text", "close"];

/** Declares `record`, `replay` and `inspect`. */
export function register(program: Command): void {
  registerRecord(program);
  registerReplay(program);
  registerInspect(program);
}

function registerRecord(program: Command): void {
  const command = shared(program.command("record"))
    .description("Run another command and record its connection to Codex, without secrets.")
    .argument("<file>", "the recording to write; replaces an existing file")
    .argument("<command...>", "the command to run, after `--`");
  examples(
    command,
    'codexwright record hello.ndjson -- run "say hello"',
    "codexwright record models.ndjson -- models --json",
  );
  action(command, async () => {
    const [{ recordCommand }, { innerCommand }] = await Promise.all([
      import("../recordings/record.ts"),
      import("../recordings/inner-command.ts"),
    ]);
    return (invocation) => recordCommand(invocation, innerCommand(program));
  });
}

function registerReplay(program: Command): void {
  const command = shared(program.command("replay"))
    .description("Play a recording: against itself, to another command, or to a client.")
    .argument("<file>", "the recording")
    .argument("[command...]", "a command to run with the recording as its Codex, after `--`")
    .option("--serve <url>", "act as the recorded server at ws://127.0.0.1:0, unix://PATH or stdio://");
  examples(
    command,
    "codexwright replay hello.ndjson",
    'codexwright replay hello.ndjson -- run "say hello"',
    "codexwright replay hello.ndjson --serve ws://127.0.0.1:4600",
  );
  action(command, async () => {
    const [{ replayCommand }, { innerCommand }] = await Promise.all([
      import("../recordings/replay.ts"),
      import("../recordings/inner-command.ts"),
    ]);
    return (invocation) => replayCommand(invocation, innerCommand(program));
  });
}

function registerInspect(program: Command): void {
  const command = shared(program.command("inspect"))
    .description("Show a recording as a timeline.")
    .argument("<file>", "the recording")
    .option("--method <part...>", "only methods whose name contains this")
    .addOption(new Option("--kind <kind...>", "only rows of these kinds").choices(KINDS))
    .option("--thread <id>", "only this thread: its id, or the first characters of the id")
    .option("--errors", "only rows that failed or have no answer")
    .option("-f, --follow", "keep reading what is appended, until Ctrl-C");
  examples(
    command,
    "codexwright inspect hello.ndjson",
    "codexwright inspect hello.ndjson --kind turn item",
    "codexwright inspect hello.ndjson --errors --json | jq -r .method",
  );
  action(command, async () => (await import("../recordings/inspect.ts")).inspect);
}
