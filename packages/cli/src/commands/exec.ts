import { Option, type Command } from "commander";
import { action, duration, examples, shared, withEngine } from "../shared/options.ts";

export function register(program: Command): void {
  const command = withEngine(
    shared(
      program
        .command("exec")
        .description("Run a command in Codex's sandbox, without a model. Exits with the command's exit code.")
        .argument("<argv...>", "the program and its arguments, after `--`")
        .passThroughOptions(),
    ),
  )
    .addOption(
      new Option(
        "-s, --sandbox <mode>",
        "what the command may access; default: your configuration's setting",
      ).choices(["read-only", "workspace-write", "danger-full-access"]),
    )
    .option("--timeout <time>", "kill the command after this time, e.g. 90s, 5m", duration("--timeout"));
  examples(
    command,
    "codexwright exec -- npm test",
    "codexwright exec --sandbox read-only -- sh -c 'touch x'",
    "codexwright exec -- top        gets its own terminal if there is one",
  );
  action(command, async () => (await import("../exec.ts")).exec);
}
