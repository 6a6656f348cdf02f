import type { Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(program.command("models").description("List the models there are."))
    .option("--all", "also those that Codex does not offer by itself")
    .option("--demo", "ask a Codex with a scripted model");
  examples(command, "codexwright models", "codexwright models --json | jq -r .model.id");
  action(command, async () => (await import("../models.ts")).models);
}
