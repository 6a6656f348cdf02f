import type {
  ClientRequests,
  CommandExecOutputDeltaNotification,
  CommandExecResponse,
} from "../../../protocol/index.ts";
import { AbortedError, InvalidArgumentError, RequestTimeoutError, RpcError } from "../../../rpc/errors.ts";
import { offAbort, onAbort } from "../../../rpc/on-abort.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../../rpc/options/table.ts";
import { within } from "../../../rpc/delay.ts";
import { fromBase64 } from "../files/base64.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import {
  checkSize,
  DEFAULT_KEPT,
  EXEC_OPTIONS,
  planExec,
  streams,
  type ExecOptions,
  type ExecPlan,
  type TerminalSize,
} from "./exec-options.ts";
import { OutputBuffer, type ExecOutput } from "./exec-output.ts";
import { ExecStdin } from "./exec-stdin.ts";
import { Inbox } from "./inbox.ts";

/** The result of a command. */
export interface ExecResult {
  /**
   * Special values: 137 if the command was killed, 124 if it timed out, 101 if the program of a
   * sandboxed command does not exist.
   */
  readonly exitCode: number;
  /** The kept output, decoded as UTF-8. */
  readonly stdout: string;
  readonly stderr: string;
  /** Whether a stream had more output than is kept here. */
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  /** Whether the server killed the command after `timeoutMs`. */
  readonly timedOut: boolean;
  readonly durationMs: number;
}

/** A command and its options. */
export interface ExecCommandParams extends ExecOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
}

const EXEC_COMMAND: Table<ExecCommandParams> = { ...EXEC_OPTIONS, command: needed(is.listOf(is.text)) };

/** How long a killed command may take to end. */
const KILL_GRACE_MS = 5_000;
/** Delay between two attempts to reach a command that the server has not started yet. */
const RETRY_MS = 50;
const TIMED_OUT = 124;
/** The server's error for a command that has ended or has not started. */
const NOT_RUNNING = /no active command\/exec|is no longer running/;

const deltas = new Inbox("command/exec/outputDelta", ({ processId }) => processId);
let commands = 0;

/**
 * Runs a command on the server's machine, in its sandbox, without a thread. There is no time limit by default.
 *
 * Throws `invalid_argument` for options that cannot work, and `unsupported` for `tty`, `stdin`, `env` and caps on
 * servers before 0.115. Those servers run commands to their end: output arrives only then, and commands cannot be
 * killed.
 */
export function exec(host: ServiceHost, argv: readonly string[], options: ExecOptions = {}): ExecHandle {
  const processId = `codexwright-exec-${++commands}`;
  return new ExecHandle(host, planExec(argv, options, processId, host.serverVersion()), options);
}

/** Runs a command to its end. */
export async function execCommand(host: ServiceHost, params: ExecCommandParams): Promise<ExecResult> {
  checkOptions("execCommand()", params, EXEC_COMMAND);
  const { command, ...options } = params;
  // No reader consumes the streams, so the server need not send output that the result does not hold.
  const outputBytesCap = options.outputBytesCap ?? (streams(host.serverVersion()) ? DEFAULT_KEPT : undefined);
  return await exec(host, command, { ...options, outputBytesCap }).result;
}

/**
 * A running command: read its streams, write to it, await {@link result}, or all of these. Disposing it kills the
 * command.
 */
export class ExecHandle implements AsyncDisposable {
  /**
   * Resolves when the command has ended. Rejects if the command could not be started, was aborted or disposed, or the
   * connection ended.
   */
  readonly result: Promise<ExecResult>;
  readonly stdin: ExecStdin;
  readonly #host: ServiceHost;
  readonly #plan: ExecPlan;
  readonly #signal: AbortSignal | undefined;
  readonly #stdout: OutputBuffer;
  readonly #stderr: OutputBuffer;
  readonly #startedAt: number = performance.now();
  readonly #over: Promise<void>;
  /** Aborted when the command has its outcome, to cancel requests that the server was too busy to accept. */
  readonly #abandon: AbortController = new AbortController();
  #verdict: AbortedError | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #killing: Promise<void> | undefined;
  #settled = false;
  #unroute: () => void = () => {};
  #markOver!: () => void;
  #resolve!: (result: ExecResult) => void;
  #reject!: (error: unknown) => void;

  constructor(host: ServiceHost, plan: ExecPlan, { signal, stdin }: ExecOptions) {
    this.#host = host;
    this.#plan = plan;
    this.#signal = signal;
    this.#stdout = new OutputBuffer("stdout", plan.limits);
    this.#stderr = new OutputBuffer("stderr", plan.limits);
    this.stdin = new ExecStdin(
      plan.params.streamStdin
        ? { send: (message) => this.#tell("command/exec/write", { processId: this.#id, ...message }) }
        : undefined,
    );
    this.#over = new Promise((resolve) => (this.#markOver = resolve));
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A caller may read only the streams and never await `result`. The streams report a failure too.
    this.result.catch(() => {});
    if (signal?.aborted) this.#fail(new AbortedError("the command", "notSent", signal.reason));
    else this.#start(stdin);
  }

  get stdout(): ExecOutput {
    return this.#stdout;
  }

  /** Empty if the command runs in a terminal. */
  get stderr(): ExecOutput {
    return this.#stderr;
  }

  /** Sets a new terminal size for the command. Does nothing if the command has ended. */
  async resize(size: TerminalSize): Promise<void> {
    checkSize(size);
    if (!this.#plan.params.tty) {
      throw new InvalidArgumentError("the command has no terminal: run it with the option tty");
    }
    await this.#tell("command/exec/resize", {
      processId: this.#id,
      size: { cols: size.cols, rows: size.rows },
    });
  }

  /**
   * Kills the command. Resolves when the command has ended for any reason; the result then usually has exit code 137.
   * Safe to call at any time and more than once. Rejects with `unsupported` on servers before 0.115, and with
   * `request_timeout` if the command has not ended after 5 s: the server ignores messages for a command that leaves
   * more than 128 writes unread. Such a command ends with the connection.
   */
  kill(): Promise<void> {
    this.#killing ??= this.#kill();
    return this.#killing;
  }

  /** Kills the command if it is still running, and waits for its end. */
  async close(): Promise<void> {
    this.#giveUp(new AbortedError("the command", "unknown", "its handle was disposed"));
    await this.#over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #id(): string {
    return this.#plan.params.processId ?? "";
  }

  #start(stdin: ExecOptions["stdin"]): void {
    onAbort(this.#signal, this.#onAbort);
    // Registered before the request is written: output arrives before the answer.
    if (this.#plan.live) this.#unroute = deltas.open(this.#host, this.#id, (delta) => this.#take(delta));
    const { signal } = this.#abandon;
    this.#host.request("command/exec", this.#plan.params, { timeoutMs: 0, signal }).then(
      (answer) => this.#answered(answer),
      (error: unknown) => this.#refused(error),
    );
    if (stdin !== undefined && typeof stdin !== "boolean") void this.#feed(stdin);
  }

  async #feed(input: string | Uint8Array): Promise<void> {
    try {
      await this.stdin.write(input);
      await this.stdin.end();
    } catch {
      // A command need not read its input. Any other failure is reported by the command's result.
    }
  }

  #take({ stream, deltaBase64, capReached }: CommandExecOutputDeltaNotification): void {
    const output = stream === "stderr" ? this.#stderr : this.#stdout;
    output.push(fromBase64(deltaBase64));
    if (capReached) output.markCut();
  }

  /** No caller would receive an exception that is thrown here, so an invalid answer must reject the result. */
  #answered(answer: CommandExecResponse): void {
    try {
      this.#exited(answer);
    } catch (error) {
      this.#fail(error);
    }
  }

  #exited({ exitCode, stdout, stderr }: CommandExecResponse): void {
    this.#takeWhole(this.#stdout, stdout);
    this.#takeWhole(this.#stderr, stderr);
    if (this.#verdict) this.#fail(this.#verdict);
    else this.#succeed(exitCode);
  }

  /**
   * Adds the output that the answer contains. That output is empty if the server streams the output. Older servers
   * truncate the output without reporting that.
   */
  #takeWhole(output: OutputBuffer, text: string): void {
    const bytes = new TextEncoder().encode(text);
    output.push(bytes);
    if (!this.#plan.live && bytes.length >= DEFAULT_KEPT) output.markCut();
  }

  #refused(error: unknown): void {
    if (this.#verdict) return this.#fail(this.#verdict);
    // Servers before 0.115 do not return the output of a command that timed out.
    const late = error instanceof RpcError && error.message.includes("command timed out");
    if (this.#plan.live || !late) return this.#fail(error);
    this.#stdout.markCut();
    this.#stderr.markCut();
    this.#succeed(TIMED_OUT);
  }

  /** Sends a message to a running command. Resolves with false if the command has ended. */
  async #tell<M extends Telling>(method: M, params: ClientRequests[M]["params"]): Promise<boolean> {
    const ended = this.#over.then(() => false);
    while (!this.#settled) {
      // A command that does not read can delay the answer indefinitely.
      const told = this.#host.request(method, params, { timeoutMs: 0 }).then(() => true);
      try {
        return await Promise.race([told, ended]);
      } catch (error) {
        // Either the command has ended and the answer is on its way, or the server was too busy to start it yet.
        if (!(error instanceof RpcError && NOT_RUNNING.test(error.message))) throw error;
        await within(RETRY_MS, ended);
      }
    }
    return false;
  }

  async #kill(): Promise<void> {
    if (this.#settled) return;
    if (!this.#plan.live) {
      throw new UnsupportedError(
        `codex ${this.#host.serverVersion()} cannot kill commands: that came with 0.115`,
      );
    }
    try {
      const told = this.#tell("command/exec/terminate", { processId: this.#id });
      await within(
        KILL_GRACE_MS,
        told.then(() => this.#over),
      );
      if (!this.#settled) throw new RequestTimeoutError("command/exec/terminate", "unknown", KILL_GRACE_MS);
    } catch (error) {
      // Allows another attempt.
      this.#killing = undefined;
      throw error;
    }
  }

  readonly #onAbort = (): void => {
    this.#giveUp(new AbortedError("the command", "unknown", this.#signal?.reason));
  };

  /**
   * Kills the command. The result rejects with this error when the command has ended, at the latest after the grace
   * period.
   */
  #giveUp(verdict: AbortedError): void {
    if (this.#settled || this.#verdict) return;
    this.#verdict = verdict;
    if (!this.#plan.live) return this.#fail(verdict);
    this.#grace = setTimeout(() => this.#fail(verdict), KILL_GRACE_MS);
    this.kill().catch(() => {});
  }

  #succeed(exitCode: number): void {
    const durationMs = performance.now() - this.#startedAt;
    const { timeoutMs } = this.#plan.params;
    this.#settle(undefined, () =>
      this.#resolve({
        exitCode,
        stdout: this.#stdout.keptText,
        stderr: this.#stderr.keptText,
        truncated: { stdout: this.#stdout.truncated, stderr: this.#stderr.truncated },
        // A command may exit with 124 by itself, but then it does so before the timeout.
        timedOut: exitCode === TIMED_OUT && durationMs >= (timeoutMs ?? Infinity),
        durationMs,
      }),
    );
  }

  #fail(error: unknown): void {
    this.#settle(error, () => this.#reject(error));
  }

  /** Every outcome passes through here. */
  #settle(error: unknown, outcome: () => void): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#grace);
    this.#abandon.abort();
    offAbort(this.#signal, this.#onAbort);
    this.#unroute();
    this.#stdout.end(error);
    this.#stderr.end(error);
    outcome();
    this.#markOver();
  }
}

type Telling = "command/exec/write" | "command/exec/resize" | "command/exec/terminate";
