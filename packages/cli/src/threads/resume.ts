import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { RunOptions } from "../run/options.ts";
import { run } from "../run/run.ts";

/** Goes on with a thread; on a terminal the task may be asked for. */
export async function resume(invocation: Invocation<RunOptions>): Promise<void> {
  const { options, args, output } = invocation;
  const id = options.last ? undefined : args[0];
  if (id === undefined && !options.last) {
    throw usageError("give the id of a thread, the beginning of its id, its name, or --last");
  }
  let task = options.last ? args : args.slice(1);
  if (task.length === 0 && process.stdin.isTTY && process.stdout.isTTY && !output.isJson) {
    const { isCancel, text } = await import("../shared/prompts.ts");
    const said = await text({ message: "What is to be done?" });
    if (isCancel(said)) throw new CommandError("interrupted", EXIT.interrupted, "Nothing was asked for.");
    task = [said];
  }
  await run({ ...invocation, options: { ...options, ...(id !== undefined && { resume: id }) }, args: task });
}
