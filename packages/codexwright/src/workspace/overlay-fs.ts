import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { partsOf, type FileSystem } from "../agent/resources/file-system.ts";
import { FileNotFoundError } from "../agent/resources/memory-fs.ts";
import type { Snapshotable } from "../agent/resources/resource.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { WorkspaceSecurityError } from "./errors.ts";

/** A moment of an `overlayFs`. */
export interface OverlaySnapshot {
  /** How many changes had been made. */
  readonly changes: number;
}

/** A folder of the host as a file system that can take back what was written through it. */
export interface OverlayFs extends FileSystem, Snapshotable<OverlaySnapshot> {
  snapshot(): OverlaySnapshot;
  restore(snapshot: OverlaySnapshot): Promise<void>;
}

/** What a file was and became; undefined is no file. */
interface Change {
  readonly file: string;
  readonly before: Content | undefined;
  readonly after: Uint8Array | undefined;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
}

interface Content {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/**
 * Opens a folder of the host for tools. What is written through it goes to the disk at once; a rollback restores exactly
 * those files, from what they were before, and leaves a file alone that somebody else has changed since. Symbolic links are not followed.
 */
export function overlayFs(dir: string): OverlayFs {
  if (!path.isAbsolute(dir)) {
    throw new InvalidArgumentError(`overlayFs(${JSON.stringify(dir)}) needs an absolute path`);
  }
  return new Overlay(path.resolve(dir));
}

class Overlay implements OverlayFs {
  readonly #dir: string;
  readonly #changes: Change[] = [];
  /** Changes that are before every moment that somebody can still go back to: what files were then is not kept. */
  #forgotten = 0;
  readonly #moments = new Set<WeakRef<OverlaySnapshot>>();
  /** Changes are made one after the other: each must know what was there before. */
  #last: Promise<void> = Promise.resolve();

  constructor(dir: string) {
    this.#dir = dir;
  }

  async read(file: string): Promise<Uint8Array> {
    const content = await contentOf(await this.#inside(file));
    if (!content) throw new FileNotFoundError(file);
    return content.bytes;
  }

  async readText(file: string): Promise<string> {
    return new TextDecoder().decode(await this.read(file));
  }

  async write(file: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    await this.#inTurn(async () => {
      const target = await this.#inside(file);
      if (target === this.#dir)
        throw new InvalidArgumentError("the path is the root folder: give one of a file");
      await this.#change(target, bytes);
    });
  }

  async remove(file: string): Promise<void> {
    await this.#inTurn(async () => {
      const target = await this.#inside(file);
      for (const one of await filesBelow(target)) await this.#change(one, undefined);
      if (target !== this.#dir) await removeEmpty(target);
    });
  }

  async exists(file: string): Promise<boolean> {
    return (await statOf(await this.#inside(file))) !== undefined;
  }

  async list(folder = ""): Promise<readonly string[]> {
    const files = await filesBelow(await this.#inside(folder));
    return files.map((file) => path.relative(this.#dir, file).split(path.sep).join("/")).toSorted();
  }

  snapshot(): OverlaySnapshot {
    const moment = Object.freeze({ changes: this.#forgotten + this.#changes.length });
    this.#moments.add(new WeakRef(moment));
    return moment;
  }

  async restore(moment: OverlaySnapshot): Promise<void> {
    await this.#inTurn(async () => {
      if (moment.changes < this.#forgotten) {
        throw new InvalidArgumentError(
          "what the files were then is not known any more: keep the snapshot itself, not a copy of it",
        );
      }
      const problems: unknown[] = [];
      while (this.#forgotten + this.#changes.length > moment.changes) {
        const change = this.#changes.pop();
        // One that cannot be taken back does not keep the others.
        if (change) await this.#undo(change).catch((error: unknown) => problems.push(error));
      }
      if (problems.length > 0) throw problems[0];
    });
  }

  async #change(file: string, after: Uint8Array | undefined): Promise<void> {
    const before = await contentOf(file);
    if (!before && !after) return;
    const folders = after ? await makeFolders(this.#dir, path.dirname(file)) : [];
    await put(file, after && { bytes: after, mode: before?.mode ?? 0o644 });
    this.#changes.push({ file, before, after, folders });
    this.#forget();
  }

  #forget(): void {
    let oldest = this.#forgotten + this.#changes.length;
    for (const held of this.#moments) {
      const moment = held.deref();
      if (moment) oldest = Math.min(oldest, moment.changes);
      else this.#moments.delete(held);
    }
    this.#changes.splice(0, oldest - this.#forgotten);
    this.#forgotten = oldest;
  }

  /** Takes a change back, unless somebody else has changed the file since, or what leads to it. */
  async #undo({ file, before, after, folders }: Change): Promise<void> {
    if (await this.#isAsLeft(file, after)) {
      if (before) await mkdir(path.dirname(file), { recursive: true });
      await put(file, before);
    }
    for (const folder of folders.toReversed()) await removeEmpty(folder);
  }

  async #isAsLeft(file: string, after: Uint8Array | undefined): Promise<boolean> {
    try {
      const now = await contentOf(await this.#inside(path.relative(this.#dir, file)));
      return after ? now !== undefined && Buffer.from(after).equals(now.bytes) : now === undefined;
    } catch {
      return false; // no file any more
    }
  }

  /** The path on the host. No part of it may be a link: it could lead anywhere. */
  async #inside(file: string): Promise<string> {
    let at = this.#dir;
    for (const part of partsOf(file)) {
      at = path.join(at, part);
      if ((await statOf(at))?.isSymbolicLink()) {
        throw new WorkspaceSecurityError(file, "leads over a symbolic link, which is not followed");
      }
    }
    return at;
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    await turn;
  }
}

/** Puts a new file in its place, so that other names of the old one keep what they have. */
async function put(file: string, content: Content | undefined): Promise<void> {
  if (!content) return await rm(file, { force: true });
  const fresh = `${file}.codexwright-${crypto.randomUUID()}`;
  try {
    await writeFile(fresh, content.bytes, { flag: "wx" });
    await chmod(fresh, content.mode);
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

async function makeFolders(dir: string, folder: string): Promise<string[]> {
  const missing: string[] = [];
  let at = folder;
  for (; at !== dir && !(await statOf(at)); at = path.dirname(at)) missing.unshift(at);
  if (at !== dir && !(await statOf(at))?.isDirectory())
    throw new InvalidArgumentError(`${JSON.stringify(path.basename(at))} is a file and cannot hold others`);
  await mkdir(folder, { recursive: true });
  return missing;
}

/** Removes folders that hold nothing but such folders. Links are no folders. */
async function removeEmpty(folder: string): Promise<void> {
  if (!(await statOf(folder))?.isDirectory()) return;
  try {
    for (const name of await readdir(folder)) await removeEmpty(path.join(folder, name));
    await rmdir(folder);
  } catch {
    // Something is in it: it stays.
  }
}

async function filesBelow(at: string): Promise<string[]> {
  const stat = await statOf(at);
  if (stat?.isFile()) return [at];
  if (!stat?.isDirectory()) return [];
  const names = (await readdir(at)).toSorted();
  return (await Promise.all(names.map(async (name) => filesBelow(path.join(at, name))))).flat();
}

async function contentOf(file: string): Promise<Content | undefined> {
  const stat = await statOf(file);
  if (!stat) return undefined;
  if (!stat.isFile()) throw new InvalidArgumentError(`${JSON.stringify(path.basename(file))} is no file`);
  return { bytes: new Uint8Array(await readFile(file)), mode: stat.mode & 0o7777 };
}

async function statOf(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
