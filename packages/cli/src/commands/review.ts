import { Option, type Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";
import { turnOptions } from "./run.ts";

export function register(program: Command): void {
  const targets = ["base", "commit", "uncommitted", "instructions"];
  const target = (flags: string, description: string): Option => {
    const option = new Option(flags, description);
    return option.conflicts(targets.filter((name) => name !== option.attributeName()));
  };
  const command = turnOptions(
    shared(program.command("review").description("Let Codex review changes in this folder.")),
  )
    .addOption(target("--base <branch>", "what has changed since this branch"))
    .addOption(target("--commit <sha>", "one commit"))
    .addOption(target("--uncommitted", "what is not committed yet; this is the default"))
    .addOption(target("--instructions <text>", "what the text says; `-`: it is on stdin"))
    .option("--output-schema <file>", "a JSON Schema; the review is JSON that fits, and is printed so");
  examples(
    command,
    "codexwright review",
    "codexwright review --base main",
    "codexwright review --json | jq 'select(.type == \"result\") | .findings'",
    'codexwright review --instructions "look for races in src/server" --json',
  );
  action(command, async () => (await import("../review.ts")).review);
}
