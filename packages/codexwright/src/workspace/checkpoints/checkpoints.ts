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
import type { KeptList } from "./kept-store.ts";
import { Store } from "./store.ts";

/** A snapshot of the files in a workspace. */
export interface Checkpoint {
  /** A hash of all files: equal files have equal hashes. */
  readonly tree: string;
}

/**
 * Stores snapshots of one folder in another folder. It does not use a git repository, because the commands of a run
 * could change the configuration of that repository, and git would run programs that the configuration names.
 *
 * All files are included, even ignored ones, except those in folders named `.git`.
 */
export class Checkpoints {
  readonly #dir: string;
  /** The path of the folder as a string with one character per byte. */
  readonly #root: string;
  readonly #place: string;
  readonly #store: Store;
  readonly #known = new Set<string>();
  readonly #kept: KeptList | undefined;

  /**
   * @param place the folder for stored contents, outside of `dir`
   * @param kept the checkpoints in that folder, if it outlives this object
   */
  constructor(dir: string, place: string, kept?: KeptList) {
    this.#dir = dir;
    this.#root = Buffer.from(dir).toString("latin1");
    this.#place = place;
    this.#store = new Store(place, kept !== undefined);
    this.#kept = kept;
  }

  async take(): Promise<Checkpoint> {
    await this.#open();
    const snapshot = await takeSnapshot(this.#root, this.#store).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw error;
      throw new WorkspaceSecurityError(
        this.#dir,
        "has folders that are nested beyond the longest path of the system",
      );
    });
    const tree = await this.#store.keepBytes(encodeSnapshot(snapshot));
    await this.#kept?.add(tree);
    this.#known.add(tree);
    return Object.freeze({ tree });
  }

  /** Returns all checkpoints, the oldest first. */
  async list(): Promise<readonly Checkpoint[]> {
    await this.#open();
    return [...((await this.#kept?.ids()) ?? this.#known)].map((tree) => Object.freeze({ tree }));
  }

  /** Returns the changes between two checkpoints as a patch. */
  async diff(from: Checkpoint, to: Checkpoint): Promise<string> {
    await this.#open();
    return await patchOf(await this.#read(from), await this.#read(to), this.#store, this.#place);
  }

  /** Restores all files. Returns the paths of the files that had changed. */
  async revert(to: Checkpoint): Promise<readonly string[]> {
    await this.#open();
    const then = await this.#read(to);
    const now = await this.#read(await this.take());
    const changed = changedPaths(now, then);
    // Remove all changed files first: a file may be where a folder was before, and a link may be where a file or folder
    // was.
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

  /**
   * Checks that the workspace folder and the folders of the store are not links. A command may have replaced one of
   * them with a link, and we must not read or write through that link.
   */
  async #open(): Promise<void> {
    const real = await ifThere(realpath(this.#dir));
    if (real === undefined) throw new FileNotFoundError(this.#dir);
    if (real !== this.#dir) throw new WorkspaceSecurityError(this.#dir, "was replaced by a symbolic link");
    await this.#store.open();
  }

  async #remove(file: string): Promise<void> {
    const place = bytesOf(`${this.#root}/${file}`);
    try {
      await unlink(place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe or socket is at the path of a folder.
      if (code === "ENOTDIR") return await this.#remove(path.posix.dirname(file));
      // A folder is at the path of a file. The system reports EISDIR or EPERM.
      if (code !== "ENOENT") await removeTree(place);
    }
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder)) {
      try {
        await rmdir(bytesOf(`${this.#root}/${folder}`));
      } catch {
        return; // not empty
      }
    }
  }

  async #read({ tree }: Checkpoint): Promise<Snapshot> {
    if (!this.#known.has(tree) && !(await this.#kept?.ids())?.has(tree))
      throw new InvalidArgumentError("the checkpoint must come from this workspace");
    return decodeSnapshot(await this.#store.bytes(tree));
  }
}
