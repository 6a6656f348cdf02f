import { offAbort, onAbort } from "codexwright/internal";
import { CodexError, ResponseError } from "codexwright/rpc";
import { fromBase64, toBase64 } from "../bytes.ts";
import { Capture, StreamCap } from "../commands/capture.ts";
import { CommandStartError } from "../commands/errors.ts";
import { startCommand, type CommandHost } from "../commands/start-command.ts";
import type { ResolvedPolicy, ShellProcess, TerminalSize } from "../ports.ts";

/** The exit codes of a command that was killed and of one that timed out. */
const KILLED = 137;
const TIMED_OUT = 124;

/** The default limit of output and time. */
const CAP_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** Output that is not streamed has this limit even if the client asks for none. */
const MAX_BUFFERED = 32 * 1024 * 1024;
/** The longest time that a timer of JavaScript can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** How long output is awaited after the end, if another process holds the pipes. */
const DRAIN_MS = 2_000;
/** How long a write is awaited before it is answered. */
const WRITE_MS = 20;
const SIZE: TerminalSize = { rows: 24, cols: 80 };

/** A command of a client. `null` means without a limit. */
export interface ClientCommand {
  /** The method, for error messages. */
  readonly name: "command/exec" | "process";
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | null>> | undefined;
  readonly policy: ResolvedPolicy | undefined;
  readonly tty: boolean;
  readonly size: TerminalSize | null | undefined;
  readonly streamStdin: boolean;
  readonly streams: boolean;
  readonly capBytes: number | null | undefined;
  readonly timeoutMs: number | null | undefined;
  /** Called with each piece of streamed output. */
  readonly onDelta: (delta: Delta) => void;
}

/** Input of a client for its command. */
export interface ClientInput {
  readonly deltaBase64?: string | null | undefined;
  readonly closeStdin?: boolean | undefined;
}

export interface Delta {
  readonly stream: "stdout" | "stderr";
  readonly deltaBase64: string;
  readonly capReached: boolean;
}

export interface ClientProcessEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stdoutCapReached: boolean;
  readonly stderr: string;
  readonly stderrCapReached: boolean;
  readonly outputDrainTimedOut: boolean;
}

/** A command that a client started. It ends with the connection. */
export class ClientProcess {
  readonly #command: ClientCommand;
  readonly #gone: AbortSignal;
  readonly #child: Promise<ShellProcess>;
  readonly #output: Readonly<
    Record<"stdout" | "stderr", { add(bytes: Uint8Array): void; reached(): boolean; text(): string }>
  >;
  /** The writes that are not answered yet. */
  readonly #writes = new Set<Promise<void>>();
  #forced: number | undefined;

  constructor(host: CommandHost, command: ClientCommand, gone: AbortSignal) {
    this.#command = command;
    this.#gone = gone;
    this.#output = { stdout: this.#collector("stdout"), stderr: this.#collector("stderr") };
    const terminal = command.tty ? (command.size ?? SIZE) : undefined;
    this.#child = startCommand(
      host,
      {
        argv: command.argv,
        cwd: command.cwd,
        env: command.env,
        terminal,
        stdin: command.streamStdin || command.tty,
        drainMs: DRAIN_MS,
        onData: (bytes, stream) => this.#output[stream].add(bytes),
      },
      command.policy,
    );
    this.#child.catch(() => {}); // `started` and `ended` report it.
  }

  /** Resolves when the command has started. Rejects with the error for the client. */
  async started(): Promise<void> {
    try {
      await this.#child;
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      const what = this.#command.name === "process" ? "process" : "command";
      const data = error instanceof CommandStartError ? undefined : { code: error.code };
      throw new ResponseError(-32603, `failed to spawn ${what}: ${error.message}`, data);
    }
  }

  /** Resolves when the command has ended and its output was read. */
  async ended(): Promise<ClientProcessEnd> {
    await this.started();
    const child = await this.#child;
    const { timeoutMs } = this.#command;
    const timer =
      timeoutMs === null
        ? undefined
        : setTimeout(() => this.end(TIMED_OUT), Math.min(timeoutMs ?? TIMEOUT_MS, MAX_TIMEOUT_MS));
    const gone = (): void => this.end(KILLED);
    onAbort(this.#gone, gone);
    if (this.#gone.aborted || this.#forced !== undefined) child.kill();
    try {
      const code = await child.exited;
      await this.#writesAnswered();
      const { stdout, stderr } = this.#output;
      return {
        exitCode: this.#forced ?? code,
        stdout: stdout.text(),
        stdoutCapReached: stdout.reached(),
        stderr: stderr.text(),
        stderrCapReached: stderr.reached(),
        outputDrainTimedOut: child.outputCut ?? false,
      };
    } finally {
      clearTimeout(timer);
      offAbort(this.#gone, gone);
    }
  }

  /** Kills the command. */
  end(exitCode: number = KILLED): void {
    this.#forced ??= exitCode;
    void this.#child.then(
      (child) => child.kill(),
      () => {},
    );
  }

  /**
   * Writes to stdin, and closes it if asked to. A command may end as soon as it has read its input: its end is
   * reported only after the write was answered, because a client could take the write for a failure otherwise.
   */
  async write(
    { deltaBase64, closeStdin }: ClientInput,
    afterAnswer: (then: () => void) => void,
  ): Promise<void> {
    let answered = (): void => {};
    const write = new Promise<void>((resolve) => (answered = resolve));
    this.#writes.add(write);
    void write.then(() => this.#writes.delete(write));
    try {
      await this.#write(deltaBase64, closeStdin);
      afterAnswer(answered);
    } catch (error) {
      answered();
      throw error;
    }
  }

  /** Resolves when all writes were answered, or the client is gone. */
  async #writesAnswered(): Promise<void> {
    let gone = (): void => {};
    const left = new Promise<void>((resolve) => (gone = resolve));
    onAbort(this.#gone, gone);
    if (!this.#gone.aborted) await Promise.race([Promise.all(this.#writes), left]);
    offAbort(this.#gone, gone);
  }

  async #write(deltaBase64: string | null | undefined, closeStdin: boolean | undefined): Promise<void> {
    const { name, streamStdin, tty } = this.#command;
    if (!streamStdin && !tty) {
      throw new ResponseError(-32600, `stdin streaming is not enabled for this ${name}`);
    }
    const child = await this.#child;
    if (typeof deltaBase64 === "string") {
      const problem = await refusalOf(child.write(bytesOf(deltaBase64)));
      if (problem instanceof CodexError) {
        throw new ResponseError(-32600, problem.message, { code: problem.code });
      }
    }
    if (closeStdin) child.end();
  }

  async resize(size: TerminalSize): Promise<void> {
    if (!this.#command.tty) {
      throw new ResponseError(-32600, "failed to resize PTY: process is not attached to a PTY");
    }
    (await this.#child).resize?.(size);
  }

  #collector(stream: "stdout" | "stderr"): {
    add(bytes: Uint8Array): void;
    reached(): boolean;
    text(): string;
  } {
    const { capBytes, streams, onDelta } = this.#command;
    const limit = capBytes === null ? Infinity : (capBytes ?? CAP_BYTES);
    if (!streams) {
      const capture = new Capture(Math.min(limit, MAX_BUFFERED));
      return {
        add: (bytes) => capture.add(bytes),
        reached: () => capture.capReached,
        text: () => capture.text,
      };
    }
    const cap = new StreamCap(limit);
    return {
      add: (bytes) => {
        const piece = cap.take(bytes);
        if (piece) onDelta({ stream, deltaBase64: toBase64(piece.bytes), capReached: piece.capReached });
      },
      reached: () => cap.reached,
      text: () => "",
    };
  }
}

/** Checks the size of a terminal as the real server does. */
export function checkSize(
  { size, tty }: { readonly size?: TerminalSize | null | undefined; readonly tty?: boolean | undefined },
  method: "command/exec" | "process/spawn",
): void {
  if (!size) return;
  if (!tty) throw new ResponseError(-32602, `${method} size requires tty: true`);
  checkCells(size, method === "command/exec" ? method : "process");
}

export function checkCells({ rows, cols }: TerminalSize, name: string): void {
  if (rows > 0 && cols > 0) return;
  throw new ResponseError(-32602, `${name} size rows and cols must be greater than 0`);
}

export function checkTimeout(timeoutMs: number | null | undefined, method: string): void {
  if (typeof timeoutMs !== "number" || timeoutMs >= 0) return;
  throw new ResponseError(-32602, `${method} timeoutMs must be non-negative, got ${timeoutMs}`);
}

/** The environment that a client sets; `undefined` values are left out. */
export function overrides(
  env: Readonly<Record<string, string | null | undefined>> | null | undefined,
): Readonly<Record<string, string | null>> | undefined {
  if (!env) return undefined;
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string | null] => entry[1] !== undefined),
  );
}

/**
 * Returns why a write was refused. A write that takes long counts as accepted: a command that does not read must not
 * hold the requests that follow, such as the one that kills it.
 */
async function refusalOf(written: Promise<void>): Promise<unknown> {
  return await new Promise((resolve) => {
    const timer = setTimeout(resolve, WRITE_MS);
    const answer = (problem?: unknown): void => {
      clearTimeout(timer);
      resolve(problem);
    };
    written.then(() => answer(), answer);
  });
}

function bytesOf(deltaBase64: string): Uint8Array {
  const wrong = /[^A-Za-z0-9+/=]/.exec(deltaBase64);
  if (wrong) {
    const code = deltaBase64.codePointAt(wrong.index) ?? 0;
    throw new ResponseError(-32602, `invalid deltaBase64: Invalid symbol ${code}, offset ${wrong.index}.`);
  }
  if (deltaBase64.length % 4 !== 0 || /=(?!=?$)/.test(deltaBase64)) {
    throw new ResponseError(-32602, "invalid deltaBase64: Invalid padding");
  }
  return fromBase64(deltaBase64);
}
