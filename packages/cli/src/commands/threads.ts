import { Option, type Command } from "commander";
import { action, count, examples, shared, withEngine } from "../shared/options.ts";
import { turnOptions } from "./run.ts";

export function register(program: Command): void {
  const threads = program.command("threads").description("List, show and manage stored threads.");
  examples(
    threads,
    "codexwright threads list --search parser",
    "codexwright threads show 0199…",
    'codexwright threads resume 0199… "now add a test"',
  );
  list(threads);
  show(threads);
  examples(one(threads, "archive", "Archive a thread."), "codexwright threads archive 0199…");
  examples(one(threads, "unarchive", "Restore an archived thread."), "codexwright threads unarchive 0199…");
  const fork = one(threads, "fork", "Copy a thread's history to a new thread, and print the new id.");
  examples(fork, 'codexwright run --resume "$(codexwright threads fork 0199…)" "try it another way"');
  const resume = turnOptions(
    withEngine(
      shared(threads.command("resume").description("Continue a thread; the same as `run --resume`.")),
    ),
  )
    .argument("[thread]", "its id, the first characters of the id, or its name; omit with --last")
    .argument("[task...]", "the task; asked for on a terminal if missing")
    .option("--last", "continue the thread that was used last in this folder");
  examples(resume, 'codexwright threads resume 0199… "now add a test"', "codexwright threads resume --last");
  action(resume, async () => (await import("../threads/resume.ts")).resume);
  const name = one(threads, "name", "Name a thread.").argument("<name>");
  examples(name, 'codexwright threads name 0199… "parser rewrite"');
  const remove = one(threads, "delete", "Delete a thread permanently.").option(
    "-y, --yes",
    "do not ask for confirmation",
  );
  examples(remove, "codexwright threads delete 0199…", "codexwright threads delete --yes 0199…");
}

type Verb = "archive" | "unarchive" | "fork" | "name" | "delete";

/** Declares a command that takes one thread. */
function one(threads: Command, verb: Verb, description: string): Command {
  const command = withEngine(shared(threads.command(verb).description(description))).argument(
    "<thread>",
    "its id, the first characters of the id, or its name",
  );
  return action(command, async () => (await import("../threads/change.ts")).CHANGES[verb]);
}

function list(threads: Command): void {
  const command = withEngine(
    shared(threads.command("list").description("List threads, most recently used first.")),
  )
    .option("--search <text>", "only threads whose title contains this")
    .option("--archived", "only archived threads")
    .option("--here", "only threads of this folder, or of --cwd")
    .addOption(
      new Option("--sort <key>", "the time to sort by")
        .choices(["updated_at", "created_at"])
        .default("updated_at"),
    )
    .option("--limit <count>", "the maximum number of threads; default: 20", count("--limit"))
    .option("--page <cursor>", "continue where the previous list ended");
  examples(command, "codexwright threads list --here", "codexwright threads list --json | jq -r .thread.id");
  action(command, async () => (await import("../threads/list.ts")).list);
}

function show(threads: Command): void {
  const command = withEngine(shared(threads.command("show").description("Show a thread with all its turns.")))
    .argument("<thread>", "its id, the first characters of the id, or its name")
    .option("--last <count>", "only the last turns", count("--last"));
  examples(command, "codexwright threads show 0199… | less");
  action(command, async () => (await import("../threads/show.ts")).show);
}
