import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { LineTooLongError, MAX_LINE_BYTES } from "../rpc/line-too-long.ts";
import { LineDecoder } from "../rpc/lines.ts";
import type { Transport, TransportSink } from "../rpc/transport.ts";
import type { Guard } from "./guard.ts";
import { LeaseEndedError, watchLease, type ServerLease } from "./lease.ts";
import { ByteTail } from "./tail.ts";

const STDERR_TAIL_BYTES = 8 * 1024;
/**
 * How long to wait for the exit of the process after the end of stdout. After that, we report the end without an exit
 * code. On a busy machine, the exit can follow hundreds of milliseconds later.
 */
const EXIT_LAG_MS = 1_000;
/** How long to read stdout after the exit of the process, because a descendant can keep the pipe open. */
const DRAIN_MS = 1_000;
/** The time from closing stdin to SIGTERM, and from SIGTERM to SIGKILL. */
const GRACE_MS = 1_000;

/** The maximum length of lines that are written together, so that the joined string stays below Node's limit. */
const MAX_TOGETHER = 64 * 1024;

/** How a process is read and ended. */
export interface ProcessOptions {
  /** Receives the stderr of the process as it is written. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** A longer line ends the connection. Without a limit, an endless line would fill the memory. */
  readonly maxLineBytes?: number | undefined;
  readonly guard?: Guard | undefined;
  /** The process group is killed when this lease is over. */
  readonly lease?: ServerLease | undefined;
  /** Returns the reason if the process could not start its program. Called only if it has sent nothing. */
  readonly notStarted?: ((code: number, stderr: string) => Error | undefined) | undefined;
}

/**
 * Sends and receives lines over the stdin and stdout of a child process. The transport owns the process and ends it.
 */
export class ProcessTransport implements Transport {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #stderr = new ByteTail(STDERR_TAIL_BYTES);
  readonly #exited: Promise<void>;
  /** Resolves when the process and all its descendants have ended. */
  readonly #swept: Promise<void>;
  readonly #maxLineBytes: number;
  readonly #notStarted: ProcessOptions["notStarted"];
  readonly #lease: ServerLease | undefined;
  #sink: TransportSink | undefined;
  #decoder: LineDecoder | undefined;
  #exit: { code: number | null; signal: string | null } | undefined;
  #stdinError: unknown;
  /** Whether a line was already sent in this tick, so that the next lines can be written together. */
  #isSending = false;
  /** The text of the next write, and its outcome. */
  #unwritten = "";
  #writing: Promise<void> | undefined;
  #written: (error?: Error | null) => void = () => {};
  #closing: Promise<void> | undefined;
  #reported = false;
  #tooLong = false;
  /** Whether anything was received. */
  #hasSpoken = false;
  readonly #timers: ReturnType<typeof setTimeout>[] = [];

  constructor(child: ChildProcessWithoutNullStreams, options: ProcessOptions = {}) {
    const { onStderr, maxLineBytes = MAX_LINE_BYTES, guard, lease, notStarted } = options;
    this.#child = child;
    this.#maxLineBytes = maxLineBytes;
    this.#lease = lease;
    this.#notStarted = notStarted;
    const unwatch = lease && watchLease(lease, { ended: () => this.#killGroup("SIGKILL") });
    const text = new TextDecoder();
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr.push(chunk);
      onStderr?.(text.decode(chunk, { stream: true }));
    });
    // Writing to an ended process fails here and in the callback of the write. The callback reports the failure.
    child.stdin.on("error", (error) => (this.#stdinError ??= error));
    child.on("error", () => {});
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#exit = { code, signal };
        unwatch?.();
        this.#killGroup("SIGKILL");
        resolve();
      });
    });
    this.#swept = this.#exited.then(() => guard?.end());
  }

  get pid(): number | undefined {
    return this.#exit ? undefined : this.#child.pid;
  }

  open(sink: TransportSink): void {
    this.#sink = sink;
    const decoder = new LineDecoder((line) => sink.line(line), this.#maxLineBytes);
    this.#decoder = decoder;
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#hasSpoken = true;
      decoder.push(chunk);
      if (decoder.isTooLong) this.#cutOff();
    });
    this.#child.stdout.once("end", () => this.#reportIn(EXIT_LAG_MS));
    this.#child.once("close", () => this.#report());
    void this.#exited.then(() => this.#reportIn(DRAIN_MS));
  }

  /**
   * Lines that are sent in the same tick are written together, because one write costs more than many lines. The first
   * line is written immediately, because its sender may be about to exit.
   */
  send(text: string): Promise<void> {
    if (!this.#isSending) {
      this.#isSending = true;
      queueMicrotask(() => {
        this.#isSending = false;
        this.#write();
      });
      return this.#writeNow(`${text}\n`);
    }
    if (this.#unwritten.length + text.length > MAX_TOGETHER) this.#write();
    this.#unwritten += `${text}\n`;
    this.#writing ??= new Promise((resolve, reject) => {
      this.#written = (error) => (error ? reject(error) : resolve());
    });
    return this.#writing;
  }

  #write(): void {
    if (!this.#writing) return;
    this.#child.stdin.write(this.#unwritten, this.#written);
    this.#unwritten = "";
    this.#writing = undefined;
  }

  #writeNow(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /**
   * Closes stdin, which ends a healthy server immediately. If the server keeps running, it receives SIGTERM, then
   * SIGKILL.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#write();
    this.#child.stdin.end();
    const timers = [
      setTimeout(() => this.#killGroup("SIGTERM"), GRACE_MS),
      setTimeout(() => this.#killGroup("SIGKILL"), 2 * GRACE_MS),
    ];
    await this.#exited;
    for (const timer of timers) clearTimeout(timer);
    await this.#swept;
    // After this report, the caller may remove the folders of the process.
    this.#report();
  }

  /** Also called after the exit, to end children that are still in the process group. */
  #killGroup(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // No such group: everything in it has ended.
    }
  }

  #reportIn(delayMs: number): void {
    if (!this.#reported) this.#timers.push(setTimeout(() => this.#report(), delayMs));
  }

  #report(): void {
    if (this.#reported || !this.#sink) return;
    this.#reported = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#decoder?.end();
    const cause = this.#typedCause();
    this.#sink.closed({
      message: cause?.message ?? this.#describe(),
      exitCode: this.#exit?.code ?? undefined,
      exitSignal: this.#exit?.signal ?? undefined,
      stderrTail: this.#stderr.toString(),
      cause: cause ?? this.#stdinError,
    });
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    void this.close();
  }

  #cutOff(): void {
    this.#tooLong = true;
    // Drop the incomplete line.
    this.#child.stdout.removeAllListeners("data");
    this.#decoder = undefined;
    this.#killGroup("SIGKILL");
    this.#report();
  }

  /** The cause of the end, if there is an error class for it. */
  #typedCause(): Error | undefined {
    if (this.#tooLong) return new LineTooLongError("the app-server was cut off: a line", this.#maxLineBytes);
    const { code, signal } = this.#exit ?? {};
    if (typeof code === "number" && !this.#hasSpoken)
      return this.#notStarted?.(code, this.#stderr.toString());
    // The guard may have killed the server while our process was stopped.
    if (signal !== "SIGKILL" || this.#closing || this.#lease?.remainingMs !== 0) return undefined;
    return new LeaseEndedError("its processes were killed", "unknown");
  }

  #describe(): string {
    if (!this.#exit) return "the app-server closed its output while it was still running";
    const { code, signal } = this.#exit;
    return `the app-server ${signal ? `was ended by ${signal}` : `exited with code ${code ?? "unknown"}`}`;
  }
}
