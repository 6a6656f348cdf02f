import { CommandStartError } from "../core/commands/errors.ts";
import { exitCodeOf } from "./piped-process.ts";
import { startFailure } from "./start-failure.ts";
import type { Terminal, TerminalStart } from "./terminal.ts";

/** The parts of Bun's terminal API that are used. */
interface BunLike {
  spawn(
    argv: string[],
    options: {
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
      readonly argv0?: string;
      readonly terminal: {
        readonly cols: number;
        readonly rows: number;
        readonly data: (terminal: unknown, bytes: Uint8Array) => void;
        readonly drain?: () => void;
      };
    },
  ): BunProcess;
}

interface BunProcess {
  readonly pid: number;
  readonly exited: Promise<number>;
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  readonly terminal?: {
    write(bytes: Uint8Array): number;
    resize(cols: number, rows: number): void;
    close(): void;
  };
}

/** How long output is awaited after the program has ended. Bun does not say when it has read everything. */
const DRAIN_MS = 50;

/** Opens a terminal with Bun's own API. */
export function openBunTerminal(start: TerminalStart): Terminal {
  const { Bun: bun } = globalThis as unknown as { readonly Bun: BunLike };
  let pending = 0;
  let pieces = 0;
  let child: BunProcess;
  try {
    child = bun.spawn([start.program, ...start.argv.slice(1)], {
      cwd: start.cwd,
      env: start.env,
      terminal: {
        cols: start.size.cols,
        rows: start.size.rows,
        data: (_terminal, bytes) => {
          pieces++;
          start.onData(Uint8Array.from(bytes));
        },
        drain: () => (pending = 0),
      },
    });
  } catch (error) {
    // Bun has no error code if a limit of the system prevents the terminal itself.
    const isLimit = error instanceof Error && /^Failed to \w+ PTY/.test(error.message);
    throw startFailure(isLimit ? Object.assign(error, { code: "EMFILE" }) : error);
  }
  const { terminal } = child;
  if (!terminal) {
    void child.exited.catch(() => {});
    throw new CommandStartError("this version of Bun has no terminals: use Bun 1.4 or newer, or Node");
  }
  const ended = async (): Promise<void> => {
    await child.exited.catch(() => -1);
    for (let seen = -1; seen !== pieces;) {
      seen = pieces;
      await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
    }
    start.onExit(exitCodeOf(child.exitCode, child.signalCode));
  };
  void ended();
  return {
    pid: child.pid,
    get pending() {
      return pending;
    },
    write: (bytes) => {
      const taken = terminal.write(bytes);
      if (taken < bytes.length) pending += bytes.length - taken;
    },
    resize: ({ cols, rows }) => terminal.resize(cols, rows),
    close: () => terminal.close(),
  };
}
