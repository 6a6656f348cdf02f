import { CommandError, EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { TurnCommandOptions } from "../run/options.ts";
import { run } from "../run/run.ts";
import { idOf } from "./id.ts";

/** Goes on with a thread; on a terminal the task may be asked for. */
export async function resume(invocation: Invocation<TurnCommandOptions>): Promise<void> {
  const { options, args, output } = invocation;
  const id = idOf(args);
  let task = args.slice(1);
  if (task.length === 0 && process.stdin.isTTY && process.stdout.isTTY && !output.isJson) {
    const { isCancel, text } = await import("../shared/prompts.ts");
    const said = await text({ message: "What is to be done?" });
    if (isCancel(said)) throw new CommandError("interrupted", EXIT.interrupted, "Nothing was asked for.");
    task = [said];
  }
  await run({ ...invocation, options: { ...options, resume: id }, args: task });
}
