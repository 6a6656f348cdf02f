/**
 * `valve.js <codex> …`: runs a Codex whose pipes break on a signal while it lives. See lib/valve.ts for the
 * signals.
 */
import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { SIGNALS } from "../lib/valve.ts";

const [codex = "", ...args] = process.argv.slice(2);
const child = spawn(codex, args, { stdio: ["pipe", "pipe", "inherit"] });
child.on("exit", (code) => process.exit(code ?? 1));
for (const stream of [process.stdin, process.stdout, child.stdin, child.stdout]) stream.on("error", () => {});
child.stdout.pipe(process.stdout);
process.stdin.pipe(child.stdin);

process.on(SIGNALS.output, () => {
  child.stdout.unpipe().resume();
  // Closes the descriptor directly, because a process cannot close its own stdout stream.
  closeSync(1);
});
process.on(SIGNALS.input, () => {
  process.stdin.unpipe();
  child.stdin.end();
});
process.on(SIGNALS.reader, () => {
  process.stdin.unpipe().pause();
  closeSync(0);
});
