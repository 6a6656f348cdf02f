import type { Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(program.command("doctor"))
    .description("Look at the set-up, and say what to do about what is wrong.")
    .option("--listen <url>", "also try whether `serve` could listen there");
  examples(command, "codexwright doctor", "codexwright doctor --listen ws://127.0.0.1:4500 --json");
  action(command, async () => (await import("../doctor/doctor.ts")).doctor);
}
