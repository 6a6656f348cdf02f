import { Option, type Command } from "commander";
import { action, examples, shared, withEngine } from "../shared/options.ts";
import { turnOptions } from "./run.ts";

export function register(program: Command): void {
  const targets = ["base", "commit", "uncommitted", "instructions"];
  const target = (flags: string, description: string): Option => {
    const option = new Option(flags, description);
    return option.conflicts(targets.filter((name) => name !== option.attributeName()));
  };
  const command = turnOptions(
    withEngine(shared(program.command("review").description("Let Codex review the changes in this folder."))),
  )
    .addOption(target("--base <branch>", "review the changes since this branch"))
    .addOption(target("--commit <sha>", "review one commit"))
    .addOption(target("--uncommitted", "review the uncommitted changes (default)"))
    .addOption(
      target("--instructions <text>", "review according to these instructions; `-` reads them from stdin"),
    )
    .option(
      "--output-schema <file>",
      "a JSON Schema file; prints the review as JSON that matches the schema",
    );
  examples(
    command,
    "codexwright review",
    "codexwright review --base main",
    "codexwright review --json | jq 'select(.type == \"result\") | .findings'",
    'codexwright review --instructions "look for races in src/server" --json',
  );
  action(command, async () => (await import("../review.ts")).review);
}
