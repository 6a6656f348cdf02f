import type { TerminalSize } from "../core/ports.ts";

/** A program in a terminal, as node-pty or Bun runs it. */
export interface Terminal {
  readonly pid: number;
  /** The bytes that were written but that the terminal has not taken yet. */
  readonly pending: number;
  write(bytes: Uint8Array): void;
  resize(size: TerminalSize): void;
  /** Closes the terminal, so that programs in it get SIGHUP. */
  close(): void;
}

/** A start of a program in a terminal. */
export interface TerminalStart {
  readonly program: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly size: TerminalSize;
  readonly onData: (bytes: Uint8Array) => void;
  /** Called once, when the program has ended and its output was read. */
  readonly onExit: (exitCode: number) => void;
}
