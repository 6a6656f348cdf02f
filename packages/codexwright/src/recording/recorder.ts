import { isJsonObject } from "../rpc/json.ts";
import { VERSION } from "../rpc/version.ts";
import { CodexError, type CloseReason } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { atExit } from "./at-exit.ts";
import { DeltaWindow, deltaOf } from "./delta-window.ts";
import { RECORDING_FORMAT, RECORDING_VERSION, type RecordedClose, type RecordingLine } from "./format.ts";
import { RecordingFile } from "./recording-file.ts";
import { Redactor } from "../redact/redactor.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";

/** Receives the redacted lines of a recording, one at a time. */
export type RecordingSink = (line: RecordingLine) => void;

/** Options of `record`. */
export interface RecordOptions {
  /** More secrets to redact. Texts are also found in encoded form; patterns are matched as they are. */
  readonly secrets?: readonly (string | RegExp)[];
  /** Returns the time in milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Called once with the error that ended the recording. Default: emits a process warning. */
  readonly onError?: (error: RecordingError) => void;
}

const OPTIONS: Table<RecordOptions> = {
  secrets: is.listOf(is.either(is.text, is.regExp)),
  clock: is.func,
  onError: is.func,
};

/** The recording could not be written. The recording ends, but the connection continues. */
export class RecordingError extends CodexError {
  readonly code = "recording_failed";
}

/** Records the messages and events that connections report to it. Only {@link flush} throws or waits. */
export class Recorder {
  readonly #target: string | RecordingSink;
  readonly #clock: () => number;
  readonly #onError: (error: RecordingError) => void;
  readonly #redactor: Redactor;
  readonly #window: DeltaWindow;
  #startedAt = 0;
  #connections = 0;
  #open = 0;
  #file: RecordingFile | undefined;
  #stayed: (() => void) | undefined;
  #error: RecordingError | undefined;

  constructor(target: string | RecordingSink, options: RecordOptions) {
    is.checkArgument("record()", "target", target, is.either(is.nonEmptyText, is.func));
    checkOptions("record()", options, OPTIONS);
    this.#target = target;
    this.#clock = options.clock ?? Date.now;
    this.#onError = options.onError ?? ((error) => process.emitWarning(error));
    this.#redactor = new Redactor(options.secrets ?? [], process.env);
    this.#window = new DeltaWindow(this.#redactor.store, (entry) => this.#put(entry));
  }

  get error(): RecordingError | undefined {
    return this.#error;
  }

  /** Registers a new connection and returns its number. */
  opened(): number {
    if (this.#connections === 0) this.#try(() => this.#begin());
    this.#open++;
    this.#stayed ??= atExit(() => this.#exit());
    return ++this.#connections;
  }

  line(connection: number, direction: "in" | "out", line: string): void {
    this.#try(() => {
      const place = { connection, ms: this.#ms(), direction };
      const message = parsed(line);
      const from = direction === "out" ? "own" : "peer";
      if (!message)
        return this.#window.push({ ...place, text: this.#redactor.text(line, from) }, undefined, line.length);
      const delta = direction === "in" ? deltaOf(connection, message) : undefined;
      const bare = delta
        ? { ...message, params: { ...(message["params"] as object), [delta.field]: "" } }
        : message;
      const redacted = this.#redactor.message(connection, direction, bare);
      this.#window.push({ ...place, message: redacted }, delta, line.length);
    });
  }

  /** Records the end of a connection. `reason` is undefined if the connection was never opened. */
  closed(connection: number, by: "client" | "server", reason: CloseReason | undefined): void {
    if (reason) {
      const { message, exitCode, exitSignal, stderrTail } = reason;
      this.#try(() => {
        const closed: RecordedClose["closed"] = {
          by,
          message: this.#redactor.text(message, "peer"),
          ...(exitCode !== undefined && { exitCode }),
          ...(exitSignal !== undefined && { exitSignal }),
          ...(stderrTail && { stderrTail: this.#redactor.text(stderrTail, "peer") }),
        };
        this.#window.push({ connection, ms: this.#ms(), closed }, undefined, message.length);
      });
    }
    this.#open--;
    // `onError` and `flush` report the error.
    void this.flush().catch(() => {});
  }

  async flush(): Promise<void> {
    this.#try(() => this.#window.flush());
    if (!this.#error) await this.#file?.flush().catch((cause: unknown) => this.#fail(cause));
    if (this.#open === 0) {
      this.#stayed?.();
      this.#stayed = undefined;
    }
    if (this.#error) throw this.#error;
  }

  #ms(): number {
    return this.#clock() - this.#startedAt;
  }

  #begin(): void {
    this.#startedAt = this.#clock();
    const header = {
      format: RECORDING_FORMAT,
      version: RECORDING_VERSION,
      codexwright: VERSION,
      startedAt: new Date(this.#startedAt).toISOString(),
    } as const;
    if (typeof this.#target === "function") this.#target(header);
    else this.#file = new RecordingFile(this.#target, `${JSON.stringify(header)}\n`);
  }

  #put(line: RecordingLine): void {
    if (typeof this.#target === "function") return this.#target(line);
    this.#file?.write(`${JSON.stringify(line)}\n`);
    void this.#file?.flush().catch((cause: unknown) => this.#fail(cause));
  }

  #exit(): void {
    this.#try(() => {
      this.#window.flush();
      this.#file?.flushNow();
    });
  }

  /** An error here must not affect the connection. */
  #try(act: () => void): void {
    if (this.#error) return;
    try {
      act();
    } catch (cause) {
      this.#fail(cause);
    }
  }

  #fail(cause: unknown): void {
    if (this.#error) return;
    const limit = resourceExhausted("writing it", cause);
    const why = limit?.message ?? (cause as NodeJS.ErrnoException).code;
    const message = `the recording cannot be written${why === undefined ? "" : `: ${why}`}`;
    this.#error = new RecordingError(message, { cause: limit ?? cause });
    try {
      this.#onError(this.#error);
    } catch {
      // An error thrown by `onError` must not break the connection.
    }
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
