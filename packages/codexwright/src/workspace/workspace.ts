import { lstat, mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fingerprintOf } from "../agent/fingerprint.ts";
import type { Section } from "../agent/prompt/section.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { canonical } from "../rpc/json.ts";
import { limited } from "../system/limited.ts";
import { removeTree } from "../system/remove-tree.ts";
import { Checkpoints, type Checkpoint } from "./checkpoints/checkpoints.ts";
import { openKeptStore } from "./checkpoints/kept-store.ts";
import { copyMount, type Hashes, type MountPreview } from "./copy.ts";
import { BYTES, checkedMount, MOUNT, type Mount } from "./mount.ts";
import { overlayFs, type OverlayFs } from "./overlay-fs.ts";
import { findRepository } from "./git/repository.ts";
import { ALLOWED_ROOTS, allowedSource, realRoots, type AllowedRoots } from "./roots.ts";
import { printable, workspaceSection } from "./section.ts";
import { addWorktree } from "./git/worktree.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../rpc/options/table.ts";

/** Options of `Workspace.create`. */
export interface WorkspaceOptions {
  readonly mounts: readonly Mount[];
  /** Folders of the host that mounts may come from. An empty list is rejected. Use `"any"` to allow every folder. */
  readonly allowedRoots: AllowedRoots;
  /** Limit for all mounts together. */
  readonly maxBytes?: number | undefined;
  /** If true, the fingerprint also depends on the contents of the files. */
  readonly contentHash?: boolean | undefined;
  /** The folder in which the workspace is created. Default: the system's folder for temporary files. */
  readonly parent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of `Workspace.worktree`. */
export interface WorktreeOptions {
  /** A folder in a git repository, as an absolute path. */
  readonly repo: string;
  /**
   * The revision to check out. Default: `HEAD`. Names that depend on the configuration, such as `@{upstream}`, are
   * not supported.
   */
  readonly ref?: string | undefined;
  readonly allowedRoots: AllowedRoots;
  /** The folder in which the worktree is created. Default: the system's folder for temporary files. */
  readonly parent?: string | undefined;
}

/** Options of `Workspace.at`. */
export interface WorkspaceAtOptions {
  /**
   * The folder in which the checkpoints are kept, as an absolute path. It is created if it is missing. It must be outside
   * of the workspace, and belongs to one workspace.
   */
  readonly checkpoints: string;
}

const AT: Table<WorkspaceAtOptions> = { checkpoints: needed(is.nonEmptyText) };

const CREATE: Table<WorkspaceOptions> = {
  mounts: needed(is.listOf(MOUNT)),
  allowedRoots: needed(ALLOWED_ROOTS),
  maxBytes: BYTES,
  contentHash: is.flag,
  parent: is.text,
  signal: is.signal,
};

const WORKTREE: Table<WorktreeOptions> = {
  repo: needed(is.text),
  ref: is.text,
  allowedRoots: needed(ALLOWED_ROOTS),
  parent: is.text,
};

interface Parts {
  /** The folder with everything of the workspace, which is removed; `undefined` if the workspace is a folder that stays. */
  readonly base: string | undefined;
  readonly dir: string;
  readonly fingerprint: string;
  readonly mounts: readonly MountPreview[];
  readonly section: Section;
  readonly checkpoints: Checkpoints;
  readonly release?: AsyncDisposable | undefined;
}

/**
 * A folder for a run: copies of the mounts, a worktree of a git repository, or a folder that exists. Disposing the
 * workspace removes the folder, except one that existed before.
 *
 * Nothing is written outside of the folder, with two exceptions: a worktree has an entry in its repository, and the
 * checkpoints of an existing folder are in the folder that you name.
 */
export class Workspace implements AsyncDisposable {
  /** The folder, to use as the `cwd` of a run. */
  readonly dir: string;
  /** Equal for equal settings, regardless of their order. */
  readonly fingerprint: string;
  readonly mounts: readonly MountPreview[];
  readonly #parts: Parts;
  readonly #checkpoints: Checkpoints;
  readonly #uses = new Set<Promise<unknown>>();
  #disposed = false;
  #disposing: Promise<void> | undefined;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.dir = parts.dir;
    this.fingerprint = parts.fingerprint;
    this.mounts = parts.mounts;
    this.#checkpoints = parts.checkpoints;
  }

  /**
   * Uses a folder that exists, such as a repository that outlives the program. Disposing the workspace does not remove
   * it. Its checkpoints are kept too: a later workspace of the same folder can compare and revert to them. The folder
   * must not be a link.
   */
  static async at(dir: string, options: WorkspaceAtOptions): Promise<Workspace> {
    is.checkArgument("Workspace.at()", "dir", dir, is.nonEmptyText);
    checkOptions("Workspace.at()", options, AT);
    for (const [name, folder] of Object.entries({ dir, checkpoints: options.checkpoints })) {
      if (path.isAbsolute(folder)) continue;
      throw new InvalidArgumentError(`${name} is ${JSON.stringify(folder)}: it must be an absolute path`);
    }
    return await limited("opening the workspace", async () => {
      const real = await allowedSource(dir, "any", false);
      if (!(await lstat(real)).isDirectory()) {
        throw new InvalidArgumentError(`dir is ${JSON.stringify(dir)}, which is not a folder`);
      }
      const kept = await openKeptStore(path.resolve(options.checkpoints), real);
      return new Workspace({
        base: undefined,
        dir: real,
        fingerprint: await fingerprintOf({ at: real }),
        mounts: [],
        section: workspaceSection(
          "The working directory is a folder that is kept after this run.",
          undefined,
        ),
        checkpoints: new Checkpoints(real, kept.place, kept),
      });
    });
  }

  /** Copies the mounts into a new folder. If the copying fails, the folder is removed. */
  static async create(options: WorkspaceOptions): Promise<Workspace> {
    checkOptions("Workspace.create()", options, CREATE);
    const { maxBytes, contentHash = false, parent, signal } = options;
    const mounts = options.mounts.map(checkedMount);
    const roots = await realRoots(options.allowedRoots);
    return await inNewFolder(parent, async (base) => {
      const dir = path.join(base, "workspace");
      await mkdir(dir);
      const total = { bytes: 0, maxBytes };
      const hashes: Hashes | undefined = contentHash ? new Map() : undefined;
      const previews: MountPreview[] = [];
      for (const mount of mounts) {
        const source = await allowedSource(mount.from, roots, mount.followSymlinks);
        previews.push(await copyMount(mount, source, dir, total, hashes, signal));
      }
      const settings = {
        mounts: mounts
          .map((mount) => ({
            ...mount,
            include: mount.include.toSorted(),
            exclude: mount.exclude.toSorted(),
          }))
          .map(canonical)
          .toSorted(),
        maxBytes,
        allowedRoots: roots === "any" ? roots : roots.toSorted(),
        content: hashes && Object.fromEntries(hashes),
      };
      const intro = "The working directory holds copies of these files. Changes to them stay in the copies.";
      return new Workspace({
        base,
        dir,
        fingerprint: await fingerprintOf(settings),
        mounts: previews,
        section: workspaceSection(intro, previews),
        checkpoints: new Checkpoints(dir, path.join(base, "checkpoints")),
      });
    });
  }

  /**
   * Checks out a commit of a repository into a new folder, as a worktree without a branch.
   *
   * Does not use the configuration of the repository. Runs no filters, not even those of the user, so git-lfs files
   * stay pointers.
   */
  static async worktree(options: WorktreeOptions): Promise<Workspace> {
    checkOptions("Workspace.worktree()", options, WORKTREE);
    const { repo, ref = "HEAD", allowedRoots, parent } = options;
    if (!path.isAbsolute(repo)) {
      throw new InvalidArgumentError(`the repo ${JSON.stringify(repo)} must be an absolute path`);
    }
    const roots = await realRoots(allowedRoots);
    const source = await allowedSource(repo, roots, false);
    // The folder may be inside a repository whose top is a parent folder.
    const repository = await findRepository(source, roots);
    return await inNewFolder(parent, async (base) => {
      // The entry in the repository is named after this folder.
      const dir = path.join(base, path.basename(base));
      const worktree = await addWorktree(repository, ref, roots, base, dir);
      const { commit } = worktree;
      const intro = `The working directory is a git worktree of ${printable(path.basename(source))} at commit ${commit.slice(0, 12)}.`;
      return new Workspace({
        base,
        dir,
        fingerprint: await fingerprintOf({ worktree: source, commit }),
        mounts: [],
        section: workspaceSection(intro, undefined),
        checkpoints: new Checkpoints(dir, path.join(base, "checkpoints")),
        release: worktree,
      });
    });
  }

  /** Returns a prompt section that describes the folder to the model. */
  section(): Section {
    return this.#parts.section;
  }

  /** Returns the folder as a file system for tools. It can undo its own writes: see `overlayFs`. */
  files(): OverlayFs {
    return overlayFs(this.dir);
  }

  /** Takes a snapshot of all files, including ignored ones, except those in folders named `.git`. */
  async checkpoint(): Promise<Checkpoint> {
    return await this.#use(async () => this.#checkpoints.take());
  }

  /** Returns the checkpoints of this workspace, the oldest first. */
  async checkpoints(): Promise<readonly Checkpoint[]> {
    return await this.#use(async () => this.#checkpoints.list());
  }

  /** Returns the changes since a checkpoint, or between two checkpoints, as a patch. */
  async diff(from: Checkpoint, to?: Checkpoint): Promise<string> {
    return await this.#use(async () => this.#checkpoints.diff(from, to ?? (await this.#checkpoints.take())));
  }

  /**
   * Restores all files to their state at a checkpoint. Returns the paths of the files that had changed. Do not call
   * this while a run uses the folder.
   */
  async revert(to: Checkpoint): Promise<readonly string[]> {
    return await this.#use(async () => this.#checkpoints.revert(to));
  }

  /**
   * Waits for calls in progress, and removes the folder unless it existed before. If something in it cannot be removed, removes everything else and rejects with
   * `folder_not_removed`. Call `close` again to retry.
   */
  async close(): Promise<void> {
    this.#disposed = true;
    this.#disposing ??= this.#dispose().catch((error: unknown) => {
      this.#disposing = undefined;
      throw error;
    });
    await this.#disposing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #dispose(): Promise<void> {
    await Promise.allSettled(this.#uses);
    try {
      await this.#parts.release?.[Symbol.asyncDispose]();
    } finally {
      // The worktree is in this folder. So if this removal fails, its error also lists what is left of the worktree.
      if (this.#parts.base !== undefined) await removeTree(this.#parts.base);
    }
  }

  /** Rejects after the workspace was closed, so that nothing is created in a folder that is being removed. */
  async #use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#disposed) throw new InvalidArgumentError("the workspace is closed");
    const used = limited("using the workspace", work);
    this.#uses.add(used);
    try {
      return await used;
    } finally {
      this.#uses.delete(used);
    }
  }
}

async function inNewFolder<T>(parent: string | undefined, make: (base: string) => Promise<T>): Promise<T> {
  return await limited("creating the workspace", async () => {
    const base = await mkdtemp(path.join(await realpath(parent ?? tmpdir()), "codexwright-"));
    try {
      return await make(base);
    } catch (error) {
      await removeTree(base).catch(() => {}); // the first error is more useful
      throw error;
    }
  });
}
