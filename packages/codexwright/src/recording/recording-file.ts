import { closeSync, openSync, writeSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { parseRecording, RecordingFormatError, type Recording } from "./format.ts";

/**
 * Appends text to a file without blocking the caller. When the process emits `exit`, the rest can be written
 * synchronously. Every write names its position in the file, so that a write that was still in progress can be repeated
 * safely.
 */
export class RecordingFile {
  readonly #path: string;
  #waiting: string[] = [];
  #writing: Buffer | undefined;
  #position = 0;
  #running: Promise<void> | undefined;

  /** Creates the file so that only its owner can access it, or truncates an existing file. Throws if that fails. */
  constructor(path: string, head: string) {
    this.#path = path;
    const fd = openSync(path, "w", 0o600);
    try {
      this.#position = writeAll(fd, Buffer.from(head), 0);
    } finally {
      closeSync(fd);
    }
  }

  write(text: string): void {
    this.#waiting.push(text);
  }

  /** Resolves when everything written so far is in the file. */
  flush(): Promise<void> {
    this.#running ??= this.#drain();
    return this.#running;
  }

  /**
   * Writes the rest synchronously. Use it when the process emits `exit`, because no asynchronous code runs after that.
   */
  flushNow(): void {
    const rest = [this.#writing ?? Buffer.alloc(0), Buffer.from(this.#waiting.splice(0).join(""))];
    const bytes = Buffer.concat(rest);
    if (bytes.length === 0) return;
    const fd = openSync(this.#path, "r+");
    try {
      this.#position = writeAll(fd, bytes, this.#position);
    } finally {
      closeSync(fd);
    }
  }

  async #drain(): Promise<void> {
    try {
      // Repeat this, because more text may arrive while the file is being closed.
      while (this.#waiting.length > 0) await this.#run();
    } finally {
      this.#running = undefined;
    }
  }

  async #run(): Promise<void> {
    const file = await open(this.#path, "r+");
    try {
      while (this.#waiting.length > 0) {
        this.#writing = Buffer.from(this.#waiting.splice(0).join(""));
        for (let done = 0; done < this.#writing.length;) {
          const { bytesWritten } = await file.write(this.#writing, done, undefined, this.#position + done);
          done += bytesWritten;
        }
        this.#position += this.#writing.length;
        this.#writing = undefined;
      }
    } finally {
      await file.close();
    }
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): number {
  for (let done = 0; done < bytes.length;)
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  return position + bytes.length;
}

/** Reads a recording. Rejects with a {@link RecordingFormatError} if the file is not a valid recording. */
export async function readRecording(file: string): Promise<Recording> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw (
      resourceExhausted("reading the recording", cause) ??
      new RecordingFormatError(1, "the file cannot be read", cause)
    );
  }
  return parseRecording(text);
}
