import type { Shell, ShellCommand, ShellProcess } from "@codexwright/engine";
import { ScriptedProcess } from "./scripted-process.ts";
import type { ScriptedOutcomes } from "./scripted-outcomes.ts";
import { joined } from "@codexwright/engine/internal";

/** What a command that is not executed is said to have done. */
export interface CommandOutcome {
  /** What it writes to stdout. Default "". */
  readonly output?: string;
  /** What it writes to stderr; within a turn the two are one. Default "". */
  readonly stderr?: string;
  /** Default 0. */
  readonly exitCode?: number;
  /** Plays a command of `command/exec` after that: one that reads, or takes its time. It may say the exit code. */
  readonly run?: (io: CommandIo) => number | void | Promise<number | void>;
}

/** What a command that is played has to do with. */
export interface CommandIo {
  readonly write: (text: string, stream?: "stdout" | "stderr") => void;
  /** What the client writes next; `undefined` at the end. */
  readonly read: () => Promise<string | undefined>;
  /** Aborts when it is ended from outside. */
  readonly signal: AbortSignal;
}

/** Says what a command would have done; `undefined` leaves it to the defaults. */
export type CommandScript = (command: string) => CommandOutcome | undefined;

/** Executes nothing: the script says what each command does. */
export class ScriptedShell implements Shell {
  readonly #commands: CommandScript;
  readonly #outcomes: ScriptedOutcomes;

  constructor(commands: CommandScript, outcomes: ScriptedOutcomes) {
    this.#commands = commands;
    this.#outcomes = outcomes;
  }

  start({ argv, threadId, callId, onData }: ShellCommand): ShellProcess {
    const process = new ScriptedProcess(onData);
    const { run, ...outcome } = this.#commands(scriptIn(argv)) ?? {};
    if (threadId === undefined) process.play({ ...outcome, run });
    else process.play({ ...outcome, ...(callId && this.#outcomes.get(threadId, callId)) });
    return process;
  }
}

/** A shell's script counts as the command, so that one table serves turns and `command/exec`. */
function scriptIn(argv: readonly string[]): string {
  const [program = "", flag = "", script] = argv;
  const shell = /(^|\/)(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag);
  return shell && script !== undefined ? script : joined(argv);
}
