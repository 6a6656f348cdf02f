/** Runs the commands of the model, of the user within a thread, and of clients (`command/exec`, `process/spawn`). */
export interface Shell {
  /** The shell that runs scripts: an absolute path. Default "/bin/bash". */
  readonly program?: string | undefined;
  /** The environment that commands have before their own changes. The sandbox keeps some variables from its own programs. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Returns the path of a shell by its name, or `undefined` if this machine does not have it. */
  find?(name: "bash" | "sh" | "zsh"): string | undefined;
  /**
   * Starts a command in a process group of its own. Rejects with a `CommandStartError` if the system refuses to start
   * it, and with a `ResourceExhaustedError` (`resource_exhausted`) if a limit of the system was reached.
   */
  start(command: ShellCommand): Promise<ShellProcess>;
  /**
   * Ends every command that was started and everything that these commands started. The server calls it when it
   * closes, so a shell belongs to one server.
   */
  close?(): Promise<void>;
}

export interface ShellCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Changes to the environment that the shell has for all commands; `null` removes a variable. */
  readonly env?: Readonly<Record<string, string | null>> | undefined;
  /** Runs the command in a terminal of this size. Its output then arrives as "stdout". Default: pipes. */
  readonly terminal?: TerminalSize | undefined;
  /** Whether `write` can reach the command. Default: only in a terminal; otherwise its stdin is empty. */
  readonly stdin?: boolean | undefined;
  /**
   * How long to wait for output after the command has ended, if a process that it left behind holds its pipes open.
   * Default 50.
   */
  readonly drainMs?: number | undefined;
  /** The thread that the command runs for. A command of `command/exec` has none. */
  readonly threadId?: string | undefined;
  /** The model's tool call that the command runs for. */
  readonly callId?: string | undefined;
  /** Called with each piece of output. A piece may end within a character. The callee may keep the bytes. */
  readonly onData: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
}

export interface TerminalSize {
  readonly rows: number;
  readonly cols: number;
}

/** A command that was started. */
export interface ShellProcess {
  /** The process id of the command, if it is a process of this machine. */
  readonly pid?: number | undefined;
  /** The exit code, or `undefined` while the command runs. The command may end before `start` returns. */
  readonly exitCode: number | undefined;
  /**
   * Resolves with the exit code when the command has ended and its output was read. A command that was ended by a
   * signal has 128 plus the number of the signal. It never rejects because of the command. Processes that the command
   * left behind may hold its output open: then it resolves a moment after the command has ended.
   */
  readonly exited: Promise<number>;
  /** Whether output may be missing because processes that the command left behind kept its pipes open. */
  readonly outputCut?: boolean | undefined;
  /**
   * Writes to its stdin. Resolves when the command can take more. Does nothing if the command has ended or has closed
   * its stdin. Rejects with a `StdinFullError` if too much already waits for a command that does not read.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes its stdin. */
  end(): void;
  /** Changes the size of its terminal. Does nothing if the command has ended. */
  resize?(size: TerminalSize): void;
  /** Sends SIGTERM or SIGINT to the process group. Does nothing if the command has ended. */
  signal?(signal: "SIGTERM" | "SIGINT"): void;
  /** Kills the command and everything that it started. `exited` must resolve soon after. */
  kill(): void;
}
