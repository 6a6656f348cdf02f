import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fingerprintOf } from "../agent/fingerprint.ts";
import type { Section } from "../agent/prompt/section.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { canonical } from "../rpc/json.ts";
import { limited } from "../system/limited.ts";
import { removeTree } from "../system/remove-tree.ts";
import { Checkpoints, type Checkpoint } from "./checkpoints/checkpoints.ts";
import { copyMount, type Hashes, type MountPreview } from "./copy.ts";
import { BYTES, checkedMount, MOUNT, type Mount } from "./mount.ts";
import { overlayFs, type OverlayFs } from "./overlay-fs.ts";
import { findRepository } from "./git/repository.ts";
import { ALLOWED_ROOTS, allowedSource, realRoots, type AllowedRoots } from "./roots.ts";
import { printable, workspaceSection } from "./section.ts";
import { addWorktree } from "./git/worktree.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../rpc/options/table.ts";

/** What `Workspace.create` takes. */
export interface WorkspaceOptions {
  readonly mounts: readonly Mount[];
  /** Folders of the host that mounts may be of. None is refused: say `"any"` where anything may be read. */
  readonly allowedRoots: AllowedRoots;
  /** Of all mounts together. */
  readonly maxBytes?: number | undefined;
  /** Makes the fingerprint depend on what the files hold, too. */
  readonly contentHash?: boolean | undefined;
  /** The folder that it is made in; that for temporary files unless given. */
  readonly parent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What `Workspace.worktree` takes. */
export interface WorktreeOptions {
  /** A folder of a git repository: an absolute path. */
  readonly repo: string;
  /** What names the commit to check out; `HEAD` unless given. Names that live in the configuration, such as `@{upstream}`, do not count. */
  readonly ref?: string | undefined;
  readonly allowedRoots: AllowedRoots;
  /** The folder that it is made in; that for temporary files unless given. */
  readonly parent?: string | undefined;
}

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
  readonly base: string;
  readonly dir: string;
  readonly fingerprint: string;
  readonly mounts: readonly MountPreview[];
  readonly section: Section;
  readonly release?: AsyncDisposable | undefined;
}

/**
 * A folder of its own for a run: copies of what is mounted, or a worktree of a git repository. Disposing of it removes it.
 *
 * Nothing is ever written outside of it, but the entry that a repository keeps of its worktrees.
 */
export class Workspace implements AsyncDisposable {
  /** The folder: what a run's `cwd` should be. */
  readonly dir: string;
  /** The same for the same settings, whatever their order. */
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
    this.#checkpoints = new Checkpoints(parts.dir, path.join(parts.base, "checkpoints"));
  }

  /** Copies the mounts into a new folder; whatever goes wrong leaves none behind. */
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
      });
    });
  }

  /**
   * Checks out a commit of a repository into a new folder, as a worktree without a branch.
   *
   * No configuration of the repository is used and no filter runs, also none of the user's: files of git-lfs stay pointers.
   */
  static async worktree(options: WorktreeOptions): Promise<Workspace> {
    checkOptions("Workspace.worktree()", options, WORKTREE);
    const { repo, ref = "HEAD", allowedRoots, parent } = options;
    if (!path.isAbsolute(repo)) {
      throw new InvalidArgumentError(`the repo ${JSON.stringify(repo)} is not an absolute path`);
    }
    const roots = await realRoots(allowedRoots);
    const source = await allowedSource(repo, roots, false);
    // It may be in a folder further up.
    const repository = await findRepository(source, roots);
    return await inNewFolder(parent, async (base) => {
      // Repositories name the entry after the folder.
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
        release: worktree,
      });
    });
  }

  /** Tells a model what is in the folder. */
  section(): Section {
    return this.#parts.section;
  }

  /** The folder as a file system for tools, which can take back what was written through it: see `overlayFs`. */
  files(): OverlayFs {
    return overlayFs(this.dir);
  }

  /** Remembers what every file is now, ignored ones too, but nothing in folders named `.git`. */
  async checkpoint(): Promise<Checkpoint> {
    return await this.#use(async () => this.#checkpoints.take());
  }

  /** What changed since a checkpoint, or from it to another, as a patch. */
  async diff(from: Checkpoint, to?: Checkpoint): Promise<string> {
    return await this.#use(async () => this.#checkpoints.diff(from, to ?? (await this.#checkpoints.take())));
  }

  /** Makes every file what it was at a checkpoint; gives the paths of those that were not. Not while a run uses the folder. */
  async revert(to: Checkpoint): Promise<readonly string[]> {
    return await this.#use(async () => this.#checkpoints.revert(to));
  }

  /**
   * Removes the folder. Rejects with `folder_not_removed` if something in it cannot be removed, after everything else is
   * gone; closing it again tries again.
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
      // A worktree is in this folder, so the error of this removal lists what stayed of it.
      await removeTree(this.#parts.base);
    }
  }

  /** Nothing is made in a folder that goes, or has gone. */
  async #use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#disposed) throw new InvalidArgumentError("the workspace was disposed of");
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
  return await limited("making the workspace", async () => {
    const base = await mkdtemp(path.join(await realpath(parent ?? tmpdir()), "codexwright-"));
    try {
      return await make(base);
    } catch (error) {
      await removeTree(base).catch(() => {}); // the first failure counts
      throw error;
    }
  });
}
