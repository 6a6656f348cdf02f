import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, open, realpath, rename, writeFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { WorkspaceSecurityError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { READ } from "../open-flags.ts";

/** Files up to this size are read in one step. */
const SMALL = 64 * 1024;

/**
 * Stores contents by hash. Commands of a run may be able to write to this folder, so contents are verified when they
 * are read, and are only ever treated as data.
 */
export class Store {
  readonly #dir: string;
  /** Hashes of the stored contents. */
  readonly #ids = new Set<string>();
  readonly #isKept: boolean;

  /** @param isKept whether the folder may have contents of an earlier process */
  constructor(dir: string, isKept: boolean) {
    this.#dir = dir;
    this.#isKept = isKept;
  }

  /** Creates the folders. Rejects if one of them is now a link, so that nothing is written elsewhere. */
  async open(): Promise<void> {
    for (const dir of [this.#dir, path.join(this.#dir, "contents")]) {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      if ((await realpath(dir)) !== dir)
        throw new WorkspaceSecurityError(dir, "was replaced by a symbolic link");
    }
  }

  /** Stores the content of a file and returns its hash. */
  async keep(file: FileHandle, size: number): Promise<string> {
    if (size <= SMALL) {
      const bytes = Buffer.allocUnsafe(size);
      const { bytesRead } = await file.read(bytes, 0, size, 0);
      if (bytesRead === size) return await this.keepBytes(bytes);
    }
    const id = await hashed(file);
    if (await this.#has(id, size)) return id;
    // Hash the copy again: the file may have changed in the meantime.
    const name = this.#newName();
    const copy = await open(name, "wx", 0o600);
    let copied: string;
    try {
      copied = await hashed(file, copy);
    } finally {
      await copy.close();
    }
    await this.#add(name, copied);
    return copied;
  }

  async keepBytes(bytes: Uint8Array): Promise<string> {
    const id = createHash("sha256").update(bytes).digest("hex");
    if (await this.#has(id, bytes.length)) return id;
    const name = this.#newName();
    await writeFile(name, bytes, { flag: "wx", mode: 0o600 });
    await this.#add(name, id);
    return id;
  }

  /** Writes a stored content into a new file. */
  async copyTo(id: string, target: FileHandle): Promise<void> {
    await this.#read(id, async (file) => hashed(file, target));
  }

  async bytes(id: string): Promise<Buffer> {
    let bytes = Buffer.alloc(0);
    await this.#read(id, async (file) => {
      bytes = await file.readFile();
      return createHash("sha256").update(bytes).digest("hex");
    });
    return bytes;
  }

  /**
   * In a folder that is not kept, checks the disk only for hashes that this object has stored before, because nearly
   * every content in a first checkpoint is new. In a kept folder, the size shows whether the writing was cut off.
   */
  async #has(id: string, size: number): Promise<boolean> {
    if (!this.#isKept && !this.#ids.has(id)) return false;
    const found = await ifThere(lstat(this.#place(id)));
    return found !== undefined && found.isFile() && (this.#ids.has(id) || found.size === size);
  }

  async #add(name: string, id: string): Promise<void> {
    await rename(name, this.#place(id));
    this.#ids.add(id);
  }

  async #read(id: string, read: (file: FileHandle) => Promise<string>): Promise<void> {
    const file = await this.#open(id);
    try {
      if ((await read(file)) !== id) throw this.#changed(id);
    } finally {
      await file.close();
    }
  }

  async #open(id: string): Promise<FileHandle> {
    try {
      return await open(this.#place(id), READ);
    } catch (error) {
      // The stored content was removed, or replaced by a link.
      const { code } = error as NodeJS.ErrnoException;
      throw code === "ENOENT" || code === "ELOOP" ? this.#changed(id) : error;
    }
  }

  #changed(id: string): WorkspaceSecurityError {
    return new WorkspaceSecurityError(this.#place(id), "has changed since the checkpoint");
  }

  #place(id: string): string {
    return path.join(this.#dir, "contents", id);
  }

  #newName(): string {
    // Other processes may use the same folder.
    return path.join(this.#dir, `new-${randomUUID()}`);
  }
}

/** Hashes a file from its start, and also copies it if there is a target. */
async function hashed(file: FileHandle, target?: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(64 * 1024);
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return hash.digest("hex");
    const piece = chunk.subarray(0, bytesRead);
    hash.update(piece);
    // `writeFile` writes the whole chunk; `write` may stop early.
    await target?.writeFile(piece);
    at += bytesRead;
  }
}
