import type { Command } from "commander";
import { action, examples, shared } from "../shared/options.ts";

export function register(program: Command): void {
  const command = shared(program.command("doctor"))
    .description("Check the set-up, and say how to fix what is wrong.")
    .option("--listen <url>", "also check whether `serve` could listen on this address");
  examples(command, "codexwright doctor", "codexwright doctor --listen ws://127.0.0.1:4500 --json");
  action(command, async () => (await import("../doctor/doctor.ts")).doctor);
}
