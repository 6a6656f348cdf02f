import { offAbort, onAbort } from "codexwright/internal";
import { CodexError } from "codexwright/rpc";
import { cut } from "../context/budget.ts";
import { abortedMessage, inputText, message } from "../context/conversation.ts";
import { threadEnv } from "../commands/command-env.ts";
import { ExecSession, type SessionEnd } from "../commands/exec-session.ts";
import { shellArgv } from "../commands/shell-argv.ts";
import { startCommand } from "../commands/start-command.ts";
import { uuid7 } from "../ids.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { RunningTurn } from "../threads/running-turn.ts";
import { commandItem } from "../tools/exec.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";

/** A command of the user may run for an hour. */
const TIMEOUT_MS = 60 * 60 * 1_000;
/** The longest time that a timer of JavaScript can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** How long its output is awaited after its end, if a process that it left behind holds its pipes. */
const DRAIN_MS = 2_000;
/** How much of the output the model gets. */
const OUTPUT_TOKENS = 10_000;

/** A command of the user. */
export interface UserCommand {
  readonly script: string;
  readonly timeoutMs?: number | null | undefined;
}

/** The work of a turn that runs a user's command. */
export function shelling(command: UserCommand): (run: TurnRun) => Promise<TurnEnd> {
  return async (run) => {
    await run.breathe();
    await shellItem(run.thread, run, command);
    if (run.signal.aborted) {
      run.thread.remember(abortedMessage());
      return { status: "interrupted" };
    }
    return { status: "completed" };
  };
}

/** Runs a user's command, outside of the sandbox, as an item of a turn. */
export async function shellItem(
  thread: LoadedThread,
  turn: RunningTurn,
  command: UserCommand,
): Promise<void> {
  const { host, settings } = thread;
  const { script } = command;
  const { cwd } = settings;
  const argv = shellArgv(host.shell, script);
  const made = commandItem(uuid7(), script, argv, cwd, host.platform.paths);
  const item = { ...made, source: "userShell" as const };
  turn.items.start(item);
  const ended = await runToEnd(thread, turn, { ...command, argv, itemId: item.id });
  const { exitCode, output, durationMs, broken } = ended;
  turn.items.complete({
    ...item,
    status: exitCode === 0 ? "completed" : "failed",
    aggregatedOutput: broken ?? output,
    exitCode,
    durationMs,
  });
  if (turn.signal.aborted) return;
  const seconds = (durationMs / 1_000).toFixed(4);
  const shown = cut(broken === undefined ? (output ?? "") : `${output ?? ""}${broken}`, OUTPUT_TOKENS);
  const text = `<user_shell_command>\n<command>\n${script}\n</command>\n<result>\nExit code: ${exitCode}\nDuration: ${seconds} seconds\nOutput:\n${shown}\n</result>\n</user_shell_command>`;
  turn.inject(message("user", [inputText(text)]));
}

interface Running extends UserCommand {
  readonly argv: readonly string[];
  readonly itemId: string;
}

/** Returns how the command ended. `broken` says why it has no exit code of its own. */
async function runToEnd(
  thread: LoadedThread,
  turn: RunningTurn,
  { script, argv, itemId, timeoutMs }: Running,
): Promise<SessionEnd & { readonly broken?: string }> {
  const { host, settings } = thread;
  const { cwd } = settings;
  let early: string | undefined = "";
  const tell = (delta: string): void => {
    if (delta !== "") turn.notify("item/commandExecution/outputDelta", { itemId, delta });
  };
  let ended: (how: SessionEnd) => void = () => {};
  const end = new Promise<SessionEnd>((resolve) => (ended = resolve));
  const info = { itemId, command: script, cwd, tty: false };
  const session = new ExecSession(0, info, {
    delta: (delta) => (early === undefined ? tell(delta) : (early += delta)),
    complete: (how) => ended(how),
  });
  const started = {
    argv,
    cwd,
    env: threadEnv(host, thread),
    drainMs: DRAIN_MS,
    threadId: thread.id,
    onData: session.onData,
  };
  try {
    session.attach(await startCommand(host, started, undefined));
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    return {
      exitCode: -1,
      output: null,
      durationMs: 0,
      broken: `execution error: ${(error as Error).message}`,
    };
  }
  // Output that arrived before the start returned is sent as one delta.
  tell(early);
  early = undefined;
  let broken: string | undefined;
  const stop = (why: string): void => {
    broken ??= why;
    void session.terminate();
  };
  const most = Math.min(timeoutMs ?? TIMEOUT_MS, MAX_TIMEOUT_MS);
  const timer = setTimeout(() => stop(`execution error: the command timed out after ${most} ms`), most);
  const aborted = (): void => stop("command aborted by user");
  onAbort(turn.signal, aborted);
  if (turn.signal.aborted) aborted();
  thread.background.hold(session);
  try {
    const how = await end;
    return broken === undefined ? how : { ...how, broken };
  } finally {
    clearTimeout(timer);
    offAbort(turn.signal, aborted);
    thread.background.release(session);
  }
}
