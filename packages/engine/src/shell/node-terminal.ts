import { readSync } from "node:fs";
import { loadOptional } from "codexwright/internal";
import { exitCodeOf } from "./piped-process.ts";
import { startFailure } from "./start-failure.ts";
import type { Terminal, TerminalStart } from "./terminal.ts";

/** The parts of node-pty that are used. */
interface NodePty {
  spawn(
    file: string,
    args: string[],
    options: {
      readonly name: string;
      readonly cols: number;
      readonly rows: number;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly encoding: null;
    },
  ): NodePtyTerminal;
}

interface NodePtyTerminal {
  readonly pid: number;
  readonly fd: number;
  onData(listener: (bytes: Buffer) => void): unknown;
  onExit(listener: (end: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  destroy(): void;
  /** Not public. Read only to learn how much it has not written yet. */
  readonly _socket?: { readonly writableLength?: number };
}

const PACKAGE = "@lydell/node-pty";
const PIECE = 4 * 1024;

/** Opens a terminal with node-pty, which is loaded when the first terminal opens. */
export async function openNodeTerminal(start: TerminalStart): Promise<Terminal> {
  const pty = await loadPty();
  let terminal: NodePtyTerminal;
  try {
    terminal = pty.spawn(start.program, start.argv.slice(1), {
      name: "xterm",
      cols: start.size.cols,
      rows: start.size.rows,
      cwd: start.cwd,
      env: start.env,
      encoding: null,
    });
  } catch (error) {
    // node-pty has no error code for a fork that a limit of the system prevents.
    if (/pty\(3\) failed|fork/.test(String(error))) {
      throw startFailure(Object.assign(new Error(String(error)), { code: "EAGAIN" }));
    }
    throw startFailure(error);
  }
  // node-pty throws an error of the terminal unless there are two listeners.
  for (let n = 0; n < 2; n++) terminal.on("error", () => {});
  let open = true;
  terminal.onData((bytes) => start.onData(bytes));
  terminal.on("end", () => readRest(terminal.fd, start.onData));
  terminal.onExit(({ exitCode, signal }) => {
    open = false;
    start.onExit(exitCodeOf(exitCode, signal));
  });
  return {
    pid: terminal.pid,
    get pending() {
      return terminal._socket?.writableLength ?? 0;
    },
    write: (bytes) => terminal.write(bytes),
    resize: ({ cols, rows }) => {
      if (open) terminal.resize(cols, rows);
    },
    close: () => {},
  };
}

/**
 * Reads what the terminal still holds. If the last program hangs up while Node reads, Node takes the terminal as ended,
 * although output may follow. The terminal is still open then, and reports an error when it is empty.
 */
function readRest(fd: number, onData: (bytes: Uint8Array) => void): void {
  for (;;) {
    const bytes = Buffer.allocUnsafe(PIECE);
    let size: number;
    try {
      size = readSync(fd, bytes);
    } catch {
      return;
    }
    if (size === 0) return;
    onData(bytes.subarray(0, size));
  }
}

async function loadPty(): Promise<NodePty> {
  const loaded = await loadOptional<{ readonly default?: NodePty } & NodePty>(
    PACKAGE,
    "a command in a terminal (tty)",
  );
  return loaded.default ?? loaded;
}
