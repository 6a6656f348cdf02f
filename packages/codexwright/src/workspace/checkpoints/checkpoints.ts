import { realpath, rmdir, unlink } from "node:fs/promises";
import path from "node:path";
import { FileNotFoundError } from "../../agent/resources/memory-fs.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { removeTree } from "../../system/remove-tree.ts";
import { WorkspaceSecurityError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { patchOf } from "./patch.ts";
import { Pending } from "../pending.ts";
import {
  bytesOf,
  changedPaths,
  decodeSnapshot,
  encodeSnapshot,
  restore,
  takeSnapshot,
  type Snapshot,
} from "./snapshot.ts";
import { Store } from "./store.ts";

/** A moment of a workspace's files. */
export interface Checkpoint {
  /** A hash of all files: the same for the same files. */
  readonly tree: string;
}

/**
 * Keeps moments of a folder in another folder. No git repository is used: the commands of a run may be able to write
 * there, and git would run what its configuration names.
 *
 * Every file counts, ignored ones too, but nothing in folders named `.git`.
 */
export class Checkpoints {
  readonly #dir: string;
  /** The same, a character for each byte. */
  readonly #root: string;
  readonly #place: string;
  readonly #store: Store;
  readonly #known = new Set<string>();

  /** @param place where contents are kept: outside of the folder */
  constructor(dir: string, place: string) {
    this.#dir = dir;
    this.#root = Buffer.from(dir).toString("latin1");
    this.#place = place;
    this.#store = new Store(place);
  }

  async take(): Promise<Checkpoint> {
    await this.#open();
    const snapshot = await takeSnapshot(this.#root, this.#store).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw error;
      throw new WorkspaceSecurityError(this.#dir, "has folders nested past the longest path of the system");
    });
    const tree = await this.#store.keepBytes(encodeSnapshot(snapshot));
    this.#known.add(tree);
    return Object.freeze({ tree });
  }

  /** What changed from one moment to another, as a patch. */
  async diff(from: Checkpoint, to: Checkpoint): Promise<string> {
    await this.#open();
    return await patchOf(await this.#read(from), await this.#read(to), this.#store, this.#place);
  }

  /** Makes every file what it was; returns the paths of those that were not. */
  async revert(to: Checkpoint): Promise<readonly string[]> {
    const then = await this.#read(to);
    const now = await this.#read(await this.take());
    const changed = changedPaths(now, then);
    // What goes makes room for what comes: a file may have taken the place of a folder, or a link of either.
    for (const file of changed) await this.#remove(file);
    const pending = new Pending();
    try {
      for (const file of changed) {
        const kept = then.get(file);
        if (kept) await pending.add(restore(this.#root, file, kept, this.#store));
      }
    } finally {
      await pending.settled();
    }
    return changed.map((file) => bytesOf(file).toString("utf8"));
  }

  /** A command may have put links in the place of our folders; nothing is read or written through them. */
  async #open(): Promise<void> {
    const real = await ifThere(realpath(this.#dir));
    if (real === undefined) throw new FileNotFoundError(this.#dir);
    if (real !== this.#dir) throw new WorkspaceSecurityError(this.#dir, "was replaced by a link");
    await this.#store.open();
  }

  async #remove(file: string): Promise<void> {
    const place = bytesOf(`${this.#root}/${file}`);
    try {
      await unlink(place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe or a socket is in the place of a folder.
      if (code === "ENOTDIR") return await this.#remove(path.posix.dirname(file));
      // A folder is in the place of a file; the system says EISDIR or EPERM.
      if (code !== "ENOENT") await removeTree(place);
    }
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder)) {
      try {
        await rmdir(bytesOf(`${this.#root}/${folder}`));
      } catch {
        return; // something else is in it
      }
    }
  }

  async #read({ tree }: Checkpoint): Promise<Snapshot> {
    if (!this.#known.has(tree)) throw new InvalidArgumentError("the checkpoint is not one of this workspace");
    return decodeSnapshot(await this.#store.bytes(tree));
  }
}
