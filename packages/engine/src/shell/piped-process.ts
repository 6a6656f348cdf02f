import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { setImmediate as nextTask, setTimeout as delay } from "node:timers/promises";
import type { ShellCommand, ShellProcess } from "../core/ports.ts";
import { StdinFullError } from "../core/commands/errors.ts";
import { killGroup } from "./process-tree.ts";
import { startFailure } from "./start-failure.ts";

/** How long the output is awaited after the command has ended, if a process that it left behind holds its pipes. */
const DRAIN_MS = 50;
/** The longest time that the output is awaited while it goes on. */
const MAX_DRAIN_MS = 2_000;
/** The most bytes that wait for a command that does not read its stdin. */
const MAX_PENDING = 4 * 1024 * 1024;

/** The exit code of a process, as a shell reports it. */
export function exitCodeOf(
  code: number | null | undefined,
  signal: string | number | null | undefined,
): number {
  if (typeof signal === "number" && signal > 0) return 128 + signal;
  if (typeof signal === "string") return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  return code ?? -1;
}

/** Starts a command with pipes, in a session of its own. */
export async function startPiped(command: ShellCommand, env: NodeJS.ProcessEnv): Promise<ShellProcess> {
  const [file = "", ...args] = command.argv;
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd: command.cwd,
      env,
      detached: true,
      stdio: [command.stdin ? "pipe" : "ignore", "pipe", "pipe"],
    });
  } catch (error) {
    throw startFailure(error);
  }
  const piped = new PipedProcess(child, command);
  await piped.started;
  return piped;
}

class PipedProcess implements ShellProcess {
  readonly started: Promise<void>;
  readonly exited: Promise<number>;
  exitCode: number | undefined;
  outputCut = false;
  readonly #child: ChildProcess;
  readonly #drainMs: number;
  #ended = false;
  #closed = false;
  #pieces = 0;
  /** The bytes that the command has not taken yet. */
  #pending = 0;
  /** The writes that have not resolved. */
  readonly #waiting = new Set<() => void>();

  constructor(child: ChildProcess, { onData, drainMs = DRAIN_MS }: ShellCommand) {
    this.#child = child;
    this.#drainMs = drainMs;
    this.started = new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      // The listener stays: a later error, for example of a signal, must not end the server.
      child.on("error", (error) => reject(startFailure(error)));
    });
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream]?.on("data", (bytes: Buffer) => {
        this.#pieces++;
        onData(bytes, stream);
      });
      child[stream]?.on("error", () => {});
    }
    child.stdin?.on("error", () => {}); // The command has closed its stdin or has ended.
    child.once("close", () => (this.#closed = true));
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#ended = true;
        void this.#drain().then(() => resolve(this.#end(exitCodeOf(code, signal))));
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async write(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#child;
    if (!stdin?.writable) return;
    if (this.#pending + bytes.length > MAX_PENDING) throw new StdinFullError(MAX_PENDING);
    this.#pending += bytes.length;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      stdin.write(bytes, () => {
        this.#pending -= bytes.length;
        this.#waiting.delete(resolve);
        resolve();
      });
    });
  }

  end(): void {
    this.#child.stdin?.end();
  }

  signal(signal: "SIGTERM" | "SIGINT"): void {
    if (!this.#ended && this.pid !== undefined) killGroup(this.pid, signal);
  }

  kill(): void {
    if (!this.#ended && this.pid !== undefined) killGroup(this.pid);
  }

  #end(exitCode: number): number {
    this.exitCode = exitCode;
    for (const written of this.#waiting) written();
    return exitCode;
  }

  /** Waits for the rest of the output. Then ends the processes that the command left in its group. */
  async #drain(): Promise<void> {
    const latest = performance.now() + Math.max(MAX_DRAIN_MS, this.#drainMs);
    for (let seen = -1; !this.#closed; seen = this.#pieces) {
      if (seen === this.#pieces || performance.now() > latest) {
        this.outputCut = true;
        break;
      }
      await Promise.race([delay(this.#drainMs), closing(this.#child)]);
      // After a pause of the whole process, the timer ends before the pipes were read.
      for (let n = 0; n < 2 && !this.#closed; n++) await nextTask();
    }
    if (this.pid !== undefined) killGroup(this.pid);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.stdin?.destroy();
  }
}

function closing(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once("close", () => resolve()));
}
