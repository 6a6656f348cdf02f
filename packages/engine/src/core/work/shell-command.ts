import { inputText, message } from "../context/conversation.ts";
import { decoding } from "../commands/output.ts";
import { startCommand } from "../commands/start-command.ts";
import { commandItem } from "../tools/exec.ts";
import { uuid7 } from "../ids.ts";
import { argvOf } from "../shell-words.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { RunningTurn } from "../threads/running-turn.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";

/** The work of a turn that runs a user's command. */
export function shelling(command: string): (run: TurnRun) => Promise<TurnEnd> {
  return async (run) => {
    await run.breathe();
    await shellItem(run.thread, run, command);
    return { status: "completed" };
  };
}

/** Runs a user's command as an item of a turn. */
export async function shellItem(thread: LoadedThread, turn: RunningTurn, command: string): Promise<void> {
  const { cwd } = thread.settings;
  const made = commandItem(uuid7(), command, cwd, thread.host.platform.paths);
  const item = { ...made, source: "userShell" as const };
  turn.items.start(item);
  const began = Date.now();
  let output = "";
  let returned = false;
  const tell = (delta: string): void =>
    turn.notify("item/commandExecution/outputDelta", { itemId: item.id, delta });
  const decode = decoding();
  const started = {
    argv: argvOf(command),
    cwd,
    threadId: thread.id,
    onData: (bytes: Uint8Array, stream: "stdout" | "stderr") => {
      const delta = decode(bytes, stream);
      output += delta;
      if (returned) tell(delta);
    },
  };
  const child = await startCommand(thread.host, started, undefined);
  returned = true;
  // Output that arrived before `start` returned is sent as one delta.
  if (output !== "") tell(output);
  const exitCode = child.exitCode ?? (await child.exited);
  turn.items.complete({
    ...item,
    status: exitCode === 0 ? "completed" : "failed",
    aggregatedOutput: output === "" ? null : output,
    exitCode,
    durationMs: Date.now() - began,
  });
  const text = `<user_shell_command>\n<command>\n${command}\n</command>\n<result>\nExit code: ${exitCode}\nOutput:\n${output}\n</result>\n</user_shell_command>`;
  thread.remember(message("user", [inputText(text)]));
}
