import { Option, type Command } from "commander";
import { action, count, examples, shared } from "../shared/options.ts";
import { turnOptions } from "./run.ts";

export function register(program: Command): void {
  const threads = program.command("threads").description("List, show and keep the threads there are.");
  examples(
    threads,
    "codexwright threads list --search parser",
    "codexwright threads show 0199…",
    'codexwright threads resume 0199… "now add a test"',
  );
  list(threads);
  show(threads);
  examples(one(threads, "archive", "Put a thread away."), "codexwright threads archive 0199…");
  examples(
    one(threads, "unarchive", "Bring an archived thread back."),
    "codexwright threads unarchive 0199…",
  );
  const fork = one(threads, "fork", "Make a new thread with the history of another one; prints its id.");
  examples(fork, 'codexwright run --resume "$(codexwright threads fork 0199…)" "try it another way"');
  const resume = turnOptions(
    shared(threads.command("resume").description("Go on with a thread: as `run --resume`.")),
  )
    .argument("[thread]", "its id, the beginning of it, or its name; not with --last")
    .argument("[task...]", "asked for on a terminal if it is missing")
    .option("--last", "the thread that was used last in this folder");
  examples(resume, 'codexwright threads resume 0199… "now add a test"', "codexwright threads resume --last");
  action(resume, async () => (await import("../threads/resume.ts")).resume);
  const name = one(threads, "name", "Give a thread a name.").argument("<name>");
  examples(name, 'codexwright threads name 0199… "parser rewrite"');
  const remove = one(threads, "delete", "Delete a thread for good.").option("-y, --yes", "do not ask");
  examples(remove, "codexwright threads delete 0199…", "codexwright threads delete --yes 0199…");
}

type Verb = "archive" | "unarchive" | "fork" | "name" | "delete";

/** A command about one thread. */
function one(threads: Command, verb: Verb, description: string): Command {
  const command = shared(threads.command(verb).description(description)).argument(
    "<thread>",
    "its id, the beginning of it, or its name",
  );
  return action(command, async () => (await import("../threads/change.ts")).CHANGES[verb]);
}

function list(threads: Command): void {
  const command = shared(threads.command("list").description("List threads, the last used first."))
    .option("--search <text>", "those whose title holds this")
    .option("--archived", "the archived ones")
    .option("--here", "those of this folder, or of --cwd")
    .addOption(
      new Option("--sort <key>", "by which time").choices(["updated_at", "created_at"]).default("updated_at"),
    )
    .option("--limit <count>", "so many at most; default: 20", count("--limit"))
    .option("--page <cursor>", "go on where another list ended");
  examples(command, "codexwright threads list --here", "codexwright threads list --json | jq -r .thread.id");
  action(command, async () => (await import("../threads/list.ts")).list);
}

function show(threads: Command): void {
  const command = shared(threads.command("show").description("Show a whole thread."))
    .argument("<thread>", "its id, the beginning of it, or its name")
    .option("--last <count>", "only the last turns", count("--last"));
  examples(command, "codexwright threads show 0199… | less");
  action(command, async () => (await import("../threads/show.ts")).show);
}
