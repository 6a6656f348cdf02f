import { constants } from "node:fs";
import { mkdir, open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { parseRecord, type RolloutRecord } from "../core/records/rollout-record.ts";
import { linesOf, openRegular } from "./rollout-lines.ts";

/** Appends to a rollout file. Keeps it whole: a write that fails leaves no part of its records. */
export class RolloutWriter {
  readonly path: string;
  readonly #handle: FileHandle;
  #size: number;
  #next: number;
  #synced: boolean;

  private constructor(file: string, handle: FileHandle, size: number, next: number) {
    this.path = file;
    this.#handle = handle;
    this.#size = size;
    this.#next = next;
    this.#synced = true;
  }

  /** Opens a file, or makes it. Cuts off a last line that is not complete. */
  static async open(file: string): Promise<RolloutWriter> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await openRegular(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      const { size, next } = await scanned(handle);
      const writer = new RolloutWriter(file, handle, size, next);
      await writer.#cut();
      return writer;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The ordinal of the next record. */
  get next(): number {
    return this.#next;
  }

  /** Makes a new file that begins with this ordinal. */
  static async begin(file: string, ordinal: number): Promise<RolloutWriter> {
    const writer = await RolloutWriter.open(file);
    writer.#next = ordinal;
    return writer;
  }

  /** Appends records with one write. Their ordinals continue those of the file, without gaps. */
  async append(records: readonly RolloutRecord[], durable: boolean): Promise<void> {
    if (records.length > 0) await this.#append(records);
    if (!durable || this.#synced) return;
    await this.#handle.datasync();
    this.#synced = true;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #append(records: readonly RolloutRecord[]): Promise<void> {
    const { size, nlink } = await this.#handle.stat();
    // Records in a file without a name would be lost when it is closed.
    if (nlink === 0) throw Object.assign(new Error("the thread's file was deleted"), { code: "ENOENT" });
    // Something else wrote to the file, although it is locked, or an earlier write could not be taken back.
    if (size !== this.#size) {
      const found = await scanned(this.#handle);
      this.#size = found.size;
      this.#next = Math.max(this.#next, found.next);
      await this.#cut();
    }
    const isNew = this.#size === 0;
    const text = records.map((record, at) => lineOf(record, this.#next + at)).join("");
    const bytes = Buffer.from(text, "utf8");
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.#handle.write(
          bytes,
          done,
          bytes.length - done,
          this.#size + done,
        );
        done += bytesWritten;
      }
      if (isNew) await syncFolder(path.dirname(this.path));
    } catch (error) {
      await this.#cut().catch(() => {});
      throw error;
    }
    this.#size += bytes.length;
    this.#next += records.length;
    this.#synced = false;
  }

  async #cut(): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size > this.#size) await this.#handle.truncate(this.#size);
  }
}

/** The records of a line, with the fields in Codex's order. */
function lineOf({ timestamp, type, payload }: RolloutRecord, ordinal: number): string {
  return `${JSON.stringify({ timestamp, ordinal, type, payload })}\n`;
}

async function scanned(handle: FileHandle): Promise<{ size: number; next: number }> {
  let size = 0;
  let next = 0;
  for await (const { text, end } of linesOf(handle)) {
    size = end;
    const record = text === undefined ? undefined : parseRecord(text, next);
    if (record) next = Math.max(next, record.ordinal + 1);
  }
  return { size, next };
}

/** Makes the name of a new file durable, if the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY).catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync().catch(() => {});
  } finally {
    await handle.close();
  }
}
