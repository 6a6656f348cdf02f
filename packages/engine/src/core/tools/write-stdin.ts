import { utf8 } from "../bytes.ts";
import { optional, required } from "../commands/arguments.ts";
import type { ExecSession } from "../commands/exec-session.ts";
import { WRITE_STDIN } from "../instructions/tool-specs.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";
import { reportOf, within, wrongArguments } from "./exec.ts";
import type { CallOutcome, ToolHandler } from "./tool-handler.ts";

/** How long a call waits after it wrote, and how long it waits if it only reads. */
const WRITE_MS = { least: 250, most: 30_000, usual: 250 } as const;
const READ_MS = { least: 5_000, most: 300_000, usual: 5_000 } as const;
const CTRL_C = "\u0003";
const NO_STDIN = "stdin is closed for this session; rerun exec_command with tty=true to keep stdin open";

/** The tool that writes to a running command, or waits for it. */
export const writeStdin: ToolHandler<TurnRun> = {
  name: "write_stdin",
  parallel: true,
  spec: () => WRITE_STDIN,
  run: (call, run) => {
    let args: WriteArguments;
    try {
      args = readArguments(call.input);
    } catch (error) {
      return wrongArguments(error);
    }
    return interact(run, args);
  },
};

interface WriteArguments {
  readonly sessionId: number;
  readonly chars: string;
  readonly yieldMs: number;
  readonly maxTokens: number | undefined;
}

function readArguments(args: WireObject): WriteArguments {
  const chars = optional(args, "chars", "string") ?? "";
  return {
    sessionId: required(args, "session_id", "count"),
    chars,
    yieldMs: within(optional(args, "yield_time_ms", "count"), chars === "" ? READ_MS : WRITE_MS),
    maxTokens: optional(args, "max_output_tokens", "count"),
  };
}

async function interact(
  run: TurnRun,
  { sessionId, chars, yieldMs, maxTokens }: WriteArguments,
): Promise<CallOutcome> {
  const sessions = run.thread.background;
  const session = sessions.get(sessionId);
  if (!session) return { output: `write_stdin failed: Unknown process id ${sessionId}` };
  sessions.use(session);
  const began = performance.now();
  const live = session.running;
  const told = session.interact();
  try {
    let problem: string | undefined;
    if (live && chars !== "") {
      if (!session.info.tty && chars !== CTRL_C) return { output: `write_stdin failed: ${NO_STDIN}` };
      // A write is not awaited: a command that does not read must not hold the turn.
      send(session, chars).catch((error: unknown) => (problem = (error as Error).message));
    }
    await session.wait(yieldMs, run.signal);
    if (problem !== undefined) return { output: `write_stdin failed: ${problem}` };
    // A poll that sees the end of the command is not an interaction.
    if (live && (chars !== "" || session.running)) {
      const { itemId } = session.info;
      run.notify("item/commandExecution/terminalInteraction", {
        itemId,
        processId: String(session.id),
        stdin: chars,
      });
    }
    return { output: reportOf(run, session, { began, maxTokens }) };
  } finally {
    told();
  }
}

/** Writes to a terminal. Without a terminal there is no input, but Ctrl-C interrupts the command. */
async function send(session: ExecSession, chars: string): Promise<void> {
  if (session.info.tty) await session.write(utf8(chars));
  else session.interrupt();
}
