import { Option, type Command } from "commander";
import { action, duration, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(
    program
      .command("exec")
      .description("Run a command in Codex's sandbox, without a model. Exits as the command does.")
      .argument("<argv...>", "the program and its arguments, behind `--`")
      .passThroughOptions(),
  )
    .addOption(
      new Option("-s, --sandbox <mode>", "what it may touch; default: what your configuration says").choices([
        "read-only",
        "workspace-write",
        "danger-full-access",
      ]),
    )
    .option("--timeout <time>", "kill it after this time, e.g. 90s, 5m", duration("--timeout"));
  examples(
    command,
    "codexwright exec -- npm test",
    "codexwright exec --sandbox read-only -- sh -c 'touch x'",
    "codexwright exec -- top        a terminal of its own, where there is one",
  );
  action(command, async () => (await import("../exec.ts")).exec);
}
