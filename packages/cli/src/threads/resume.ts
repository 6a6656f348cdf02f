import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { RunOptions } from "../run/options.ts";
import { run } from "../run/run.ts";

/** Continues a thread. On a terminal, it asks for a missing task. */
export async function resume(invocation: Invocation<RunOptions>): Promise<void> {
  const { options, args, output } = invocation;
  const id = options.last ? undefined : args[0];
  if (id === undefined && !options.last) {
    throw usageError("missing thread: use its id, the first characters of the id, its name, or --last");
  }
  let task = options.last ? args : args.slice(1);
  if (task.length === 0 && process.stdin.isTTY && process.stdout.isTTY && !output.isJson) {
    const { isCancel, text } = await import("../shared/prompts.ts");
    const said = await text({ message: "What should Codex do?" });
    if (isCancel(said)) throw new CommandError("interrupted", EXIT.interrupted, "No task was entered.");
    task = [said];
  }
  await run({ ...invocation, options: { ...options, ...(id !== undefined && { resume: id }) }, args: task });
}
