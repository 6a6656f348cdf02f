import { offAbort, onAbort } from "codexwright/internal";
import { HeadTail, textOfKept, type Kept } from "./head-tail.ts";
import { decoding } from "./output.ts";
import type { ShellProcess, TerminalSize } from "../ports.ts";

/** The size of the terminal of a model's command. */
export const TERMINAL: TerminalSize = { rows: 24, cols: 80 };

/** The most bytes of one delta, and the most deltas of one command. Later output is only in the result. */
const DELTA_BYTES = 8 * 1024;
const MAX_DELTAS = 10_000;

/** How long the rest of the output is awaited after a command was killed. */
const KILLED_MS = 1_000;

/** The command of a session. */
export interface SessionInfo {
  readonly itemId: string;
  readonly command: string;
  readonly cwd: string;
  readonly tty: boolean;
}

/** Receives the events of a session. */
export interface SessionEvents {
  delta(text: string): void;
  /** Called once, at the end of the command. */
  complete(end: SessionEnd): void;
}

export interface SessionEnd {
  readonly exitCode: number;
  /** The output, or `null` if there was none. */
  readonly output: string | null;
  readonly durationMs: number;
}

/** A command that may outlive the call, and the turn, that started it. It has one reader: the model. */
export class ExecSession {
  readonly id: number;
  readonly info: SessionInfo;
  /** Rises with each use, so that the least recent session can be found. */
  lastUse = 0;
  readonly #events: SessionEvents;
  readonly #whole = new HeadTail();
  readonly #unread = new HeadTail();
  readonly #decode = decoding();
  readonly #began: number = Date.now();
  readonly #ended: Promise<void>;
  #end: () => void = () => {};
  #child: ShellProcess | undefined;
  #exitCode: number | undefined;
  /** The exit code that clients get instead, if the session was ended from outside. */
  #forced: number | undefined;
  #limit: ReturnType<typeof setTimeout> | undefined;
  #completed = false;
  #deltas = 0;
  #interactions = 0;

  constructor(id: number, info: SessionInfo, events: SessionEvents) {
    this.id = id;
    this.info = info;
    this.#events = events;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** The exit code, or `undefined` while the command runs. */
  get exitCode(): number | undefined {
    return this.#forced ?? this.#exitCode;
  }

  get running(): boolean {
    return this.exitCode === undefined;
  }

  /** Receives the output of the command. */
  readonly onData = (bytes: Uint8Array, stream: "stdout" | "stderr"): void => {
    this.#whole.add(bytes);
    this.#unread.add(bytes);
    for (let at = 0; at < bytes.length && this.#deltas < MAX_DELTAS; at += DELTA_BYTES) {
      const delta = this.#decode(bytes.subarray(at, at + DELTA_BYTES), stream);
      if (delta === "" || this.#completed) continue;
      this.#deltas++;
      this.#events.delta(delta);
    }
  };

  /** Follows the process of the session. Call it once, after the start. */
  attach(child: ShellProcess): void {
    this.#child = child;
    if (this.#forced !== undefined) child.kill();
    if (child.exitCode !== undefined) this.#exited(child.exitCode);
    else
      void child.exited.then(
        (code) => this.#exited(code),
        () => this.#exited(-1),
      );
  }

  /** Waits for the end of the command, at most so long. Rejects if the signal aborts; the command then runs on. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.running) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        offAbort(signal, aborted);
        resolve();
      };
      const timer = setTimeout(settle, ms);
      const aborted = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      onAbort(signal, aborted);
      void this.#ended.then(settle);
      if (signal.aborted) aborted();
    });
    signal.throwIfAborted();
  }

  /** Returns the output since the last call. */
  read(): Kept {
    return this.#unread.take();
  }

  /**
   * Writes to the command while `wait` of the caller runs. Returns a function that must be called when the caller has
   * told clients of the interaction: the end of the command is not told before.
   */
  interact(): () => void {
    this.#interactions++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#interactions--;
      this.#complete();
    };
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#child?.write(bytes);
  }

  interrupt(): void {
    this.#child?.signal?.("SIGINT");
  }

  /**
   * Kills the command, also if it is still starting. Clients learn of the end when the output that it has written was
   * read. Resolves then.
   */
  async terminate(): Promise<void> {
    if (this.running) {
      this.#forced = -1;
      // A process outside of the group may hold the pipes, and the system may not be able to end a process now.
      this.#limit = setTimeout(() => this.#exited(-1), KILLED_MS);
    }
    this.#child?.kill();
    await this.#ended;
  }

  /** Kills the command without telling clients, or gives up a command that did not start. */
  abandon(): void {
    this.#completed = true;
    clearTimeout(this.#limit);
    this.#forced ??= this.#exitCode ?? -1;
    this.#child?.kill();
    this.#end();
  }

  #exited(code: number): void {
    clearTimeout(this.#limit);
    this.#exitCode ??= code;
    this.#complete();
    this.#end();
  }

  #complete(): void {
    const { exitCode } = this;
    if (exitCode === undefined || this.#completed || this.#interactions > 0) return;
    this.#completed = true;
    const output = textOfKept(this.#whole.kept());
    this.#events.complete({
      exitCode,
      output: output === "" ? null : output,
      durationMs: Date.now() - this.#began,
    });
  }
}
