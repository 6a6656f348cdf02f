import type { Shell, ShellCommand, ShellProcess } from "@codexwright/engine";
import { ScriptedProcess } from "./scripted-process.ts";
import type { ScriptedOutcomes } from "./scripted-outcomes.ts";
import { joined } from "@codexwright/engine/internal";

/** The outcome of a command that is not executed. */
export interface CommandOutcome {
  /** The command's stdout. Default "". */
  readonly output?: string;
  /** The command's stderr. In a turn, the two streams are merged. Default "". */
  readonly stderr?: string;
  /** Default 0. */
  readonly exitCode?: number;
  /**
   * Called after the output was written, for a `command/exec` command that reads its stdin or takes time. It
   * may return the exit code.
   */
  readonly run?: (io: CommandIo) => number | void | Promise<number | void>;
}

/** The input and output of a scripted command. */
export interface CommandIo {
  readonly write: (text: string, stream?: "stdout" | "stderr") => void;
  /** Resolves with the client's next input, or with `undefined` at the end. */
  readonly read: () => Promise<string | undefined>;
  /** Aborts when the command is ended from outside. */
  readonly signal: AbortSignal;
}

/** Returns the outcome of a command; `undefined` uses the defaults. */
export type CommandScript = (command: string) => CommandOutcome | undefined;

/** Executes nothing: the script supplies the outcome of each command. */
export class ScriptedShell implements Shell {
  readonly #commands: CommandScript;
  readonly #outcomes: ScriptedOutcomes;

  constructor(commands: CommandScript, outcomes: ScriptedOutcomes) {
    this.#commands = commands;
    this.#outcomes = outcomes;
  }

  start({ argv, threadId, callId, onData }: ShellCommand): Promise<ShellProcess> {
    const process = new ScriptedProcess(onData);
    const { run, ...outcome } = this.#commands(scriptIn(argv)) ?? {};
    if (threadId === undefined) process.play({ ...outcome, run });
    else process.play({ ...outcome, ...(callId && this.#outcomes.get(threadId, callId)) });
    return Promise.resolve(process);
  }
}

/** Treats a shell's script as the command, so that one table works for turns and `command/exec`. */
function scriptIn(argv: readonly string[]): string {
  const [program = "", flag = "", script] = argv;
  const shell = /(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag);
  return shell && script !== undefined ? script : joined(argv);
}
