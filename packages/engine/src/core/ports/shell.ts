/** Runs the commands of the model, of the user within a thread, and of `command/exec`. */
export interface Shell {
  start(command: ShellCommand): ShellProcess;
}

export interface ShellCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The thread that the command runs for. A command of `command/exec` has none. */
  readonly threadId?: string;
  /** The model's tool call that the command runs for. */
  readonly callId?: string;
  /** Called with each piece of output. */
  readonly onData: (text: string, stream: "stdout" | "stderr") => void;
}

/** A command that was started. */
export interface ShellProcess {
  /** The exit code, or `undefined` while the command runs. The command may end before `start` returns. */
  readonly exitCode: number | undefined;
  /** Resolves with the exit code. */
  readonly exited: Promise<number>;
  /** Writes to its stdin. */
  write(text: string): void;
  /** Closes its stdin. */
  end(): void;
  /** Kills the command. `exited` must resolve soon after. */
  kill(): void;
}
