import { closeSync, openSync, writeSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { parseRecording, RecordingFormatError, type Recording } from "./format.ts";

/**
 * Appends text to a file without making anybody wait. What is not on the disk yet can be written at once, from the
 * `exit` of the process: every write names its place in the file, so that one that is under way may be done twice.
 */
export class RecordingFile {
  readonly #path: string;
  #waiting: string[] = [];
  #writing: Buffer | undefined;
  #position = 0;
  #running: Promise<void> | undefined;

  /** Makes the file, for its owner only, or empties it; throws where that cannot be. */
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

  /** Resolves once everything written so far is in the file. */
  flush(): Promise<void> {
    this.#running ??= this.#drain();
    return this.#running;
  }

  /** Writes what is left before it returns; for the `exit` of the process, after which nothing else runs. */
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
      // Again, for what comes while the file is being closed.
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

/** Reads a recording; one that is none is a {@link RecordingFormatError}. */
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
