import type { Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(program.command("models").description("List the available models."))
    .option("--all", "also list models that Codex hides by default")
    .option("--demo", "ask a Codex with a scripted model; needs no login");
  examples(command, "codexwright models", "codexwright models --json | jq -r .model.id");
  action(command, async () => (await import("../models.ts")).models);
}
