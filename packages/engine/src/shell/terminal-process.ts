import { setTimeout as delay } from "node:timers/promises";
import type { ShellCommand, ShellProcess, TerminalSize } from "../core/ports.ts";
import { StdinFullError } from "../core/commands/errors.ts";
import { checkStart } from "./executable.ts";
import { killGroup } from "./process-tree.ts";
import { openBunTerminal } from "./bun-terminal.ts";
import { openNodeTerminal } from "./node-terminal.ts";
import type { Terminal, TerminalStart } from "./terminal.ts";

const MAX_PENDING = 4 * 1024 * 1024;
/** How often a write looks whether the terminal has taken it. */
const LOOK_MS = 10;
/** End of transmission: a program that reads the terminal takes it as the end of its input. */
const END = Uint8Array.of(4);

/** Starts a command in a terminal: with Bun's own API on Bun, otherwise with the optional package node-pty. */
export async function startInTerminal(
  command: ShellCommand,
  size: TerminalSize,
  inherited: Readonly<Record<string, string>>,
): Promise<ShellProcess> {
  const env = { ...inherited };
  // They describe the terminal of the server.
  for (const name of ["COLUMNS", "LINES", "TERMCAP", "TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID"])
    delete env[name];
  env["TERM"] = "xterm";
  const program = checkStart(command.argv, command.cwd, env);
  const open = "Bun" in globalThis ? openBunTerminal : openNodeTerminal;
  return await TerminalProcess.start(open, { program, size, env, command });
}

interface Start {
  readonly program: string;
  readonly size: TerminalSize;
  readonly env: Readonly<Record<string, string>>;
  readonly command: ShellCommand;
}

class TerminalProcess implements ShellProcess {
  readonly exited: Promise<number>;
  exitCode: number | undefined;
  #terminal: Terminal | undefined;
  #exit: (exitCode: number) => void = () => {};

  private constructor() {
    this.exited = new Promise((resolve) => (this.#exit = resolve));
  }

  static async start(
    open: (start: TerminalStart) => Terminal | Promise<Terminal>,
    { program, size, env, command }: Start,
  ): Promise<TerminalProcess> {
    const made = new TerminalProcess();
    made.#terminal = await open({
      program,
      argv: command.argv,
      cwd: command.cwd,
      env,
      size,
      onData: (bytes) => command.onData(bytes, "stdout"),
      onExit: (exitCode) => made.#end(exitCode),
    });
    return made;
  }

  get pid(): number | undefined {
    return this.#terminal?.pid;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const terminal = this.#terminal;
    if (!terminal || this.exitCode !== undefined) return;
    if (terminal.pending + bytes.length > MAX_PENDING) throw new StdinFullError(MAX_PENDING);
    terminal.write(bytes);
    while (terminal.pending > 0 && this.exitCode === undefined) {
      await delay(LOOK_MS);
    }
  }

  end(): void {
    void this.write(END).catch(() => {});
  }

  resize(size: TerminalSize): void {
    if (this.exitCode === undefined) this.#terminal?.resize(size);
  }

  signal(signal: "SIGTERM" | "SIGINT"): void {
    if (this.exitCode === undefined && this.pid !== undefined) killGroup(this.pid, signal);
  }

  kill(): void {
    if (this.exitCode === undefined && this.pid !== undefined) killGroup(this.pid);
  }

  #end(exitCode: number): void {
    if (this.exitCode !== undefined) return;
    this.exitCode = exitCode;
    if (this.pid !== undefined) killGroup(this.pid);
    this.#terminal?.close();
    this.#exit(exitCode);
  }
}
