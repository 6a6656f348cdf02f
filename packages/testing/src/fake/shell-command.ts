import { inputText, message } from "./conversation.ts";
import { commandItem } from "./exec.ts";
import { uuid7 } from "./ids.ts";
import type { TurnEnd, TurnRun } from "./turn-run.ts";

/** A turn that runs a command of the user's. */
export function shelling(command: string): (run: TurnRun) => Promise<TurnEnd> {
  return async (run) => {
    await run.breathe();
    shellItem(run, command);
    return { status: "completed" };
  };
}

/** A command of the user's, within a turn; it is not executed. */
export function shellItem(run: TurnRun, command: string): void {
  const { output: stdout = "", stderr = "", exitCode = 0 } = run.thread.host.commands(command) ?? {};
  const output = stdout + stderr;
  const item = { ...commandItem(uuid7(), command, run.thread.settings.cwd), source: "userShell" as const };
  run.items.start(item);
  if (output !== "") run.notify("item/commandExecution/outputDelta", { itemId: item.id, delta: output });
  run.items.complete({
    ...item,
    status: exitCode === 0 ? "completed" : "failed",
    aggregatedOutput: output === "" ? null : output,
    exitCode,
    durationMs: 0,
  });
  const text = `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\nExit code: ${exitCode}\nOutput:\n${output}\n</result>\n</user_shell_command>`;
  run.thread.record.history.push(message("user", [inputText(text)]));
}
