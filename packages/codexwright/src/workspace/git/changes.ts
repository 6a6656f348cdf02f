import { mkdir, mkdtemp, readdir, realpath, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";
import { resourceExhausted } from "../../rpc/resource-exhausted.ts";
import { removeTree } from "../../system/remove-tree.ts";
import { GitFailedError, NotARepositoryError, RevisionNotFoundError } from "../errors.ts";
import { git, gitStream } from "./git.ts";
import { ifThere } from "../if-there.ts";
import { copyInside } from "../inside.ts";
import { lendRepository } from "./lend.ts";
import { repositoryOf, type Repository } from "./repository.ts";

/** Which changes in a repository a review looks at. */
export type ChangesTarget =
  | { readonly type: "uncommittedChanges" }
  /** The changes since the current commit diverged from the branch, including uncommitted ones. */
  | { readonly type: "baseBranch"; readonly branch: string }
  | { readonly type: "commit"; readonly sha: string };

const TARGET: Table<ChangesTarget> = {
  type: needed(is.oneOf("uncommittedChanges", "baseBranch", "commit")),
  branch: is.nonEmptyText,
  sha: is.nonEmptyText,
};

/**
 * Any folder may be read: the caller chose it, and nothing from the repository is copied to a place that others can
 * read.
 */
const ROOTS = "any";

/** Maximum size of an index with its shared parts: larger than any real index. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Time limit for git: longer than it needs to compare the files of a huge repository. */
const LIMIT_MS = 120_000;

/** Revision names that depend on the repository's configuration. */
const CONFIGURED = /@\{(?:u|upstream|push)\}/i;

/**
 * Checks if there are changes. Resolves to `false` only if there are certainly none. It resolves to `true` if the
 * repository has submodules, if git cannot compare its files without the repository's configuration, or if git needs
 * more than two minutes.
 *
 * Rejects with `not_a_repository` if the folder is not in a repository with a working tree, and with
 * `revision_not_found` if the repository does not have the branch or commit. No git process reads the configuration of
 * the repository, so no program named there can run.
 */
export async function hasChanges(folder: string, target: ChangesTarget): Promise<boolean> {
  return await changesWithin(LIMIT_MS, folder, target);
}

/** Like {@link hasChanges}, with a custom time limit. */
export async function changesWithin(
  limitMs: number,
  folder: string,
  target: ChangesTarget,
): Promise<boolean> {
  checkOptions("hasChanges()", target, TARGET);
  if (target.type === "baseBranch")
    is.checkArgument("hasChanges()", "branch", target.branch, is.nonEmptyText);
  if (target.type === "commit") is.checkArgument("hasChanges()", "sha", target.sha, is.nonEmptyText);
  // Also undefined if the folder is a worktree whose repository was moved or removed.
  const repository = await ifThere(repositoryOf(await realpath(folder), ROOTS));
  if (repository === undefined) throw new NotARepositoryError(folder, "is not in a git repository");
  if (isBare(repository) && target.type === "uncommittedChanges") {
    throw new NotARepositoryError(
      folder,
      "is in a bare git repository: uncommitted changes need a working tree",
    );
  }
  const base = await mkdtemp(path.join(tmpdir(), `codexwright-changes-${process.pid}-`));
  try {
    const own = path.join(base, "source.git");
    const { names } = await lendRepository(repository, ROOTS, own, true);
    return await look(new Looker(repository, own, names, limitMs), target);
  } catch (error) {
    if (error instanceof GitFailedError) return true;
    throw resourceExhausted("looking for changes", error) ?? error;
  } finally {
    await removeTree(base);
  }
}

async function look(looker: Looker, target: ChangesTarget): Promise<boolean> {
  if (target.type === "uncommittedChanges") return await looker.isDirty();
  const name = target.type === "commit" ? target.sha : target.branch;
  if (CONFIGURED.test(name)) return true;
  const commit = await looker.commit(name);
  if (target.type === "commit") return true;
  const common = await looker.line("merge-base", "HEAD", commit);
  const [head, then] = [
    await looker.line("rev-parse", "HEAD^{tree}"),
    await looker.line("rev-parse", `${common}^{tree}`),
  ];
  return head !== then || (await looker.isDirty());
}

function isBare({ top, gitDir }: Repository): boolean {
  return top === gitDir;
}

/**
 * Runs git on a repository through a git folder that we created. That folder has everything of the repository except
 * its configuration.
 */
class Looker {
  readonly #repository: Repository;
  readonly #own: string;
  /** `#own`, or the folder of a linked worktree inside `#own`. */
  readonly #gitDir: string;
  readonly #limitMs: number;

  constructor(repository: Repository, own: string, gitDir: string, limitMs: number) {
    this.#repository = repository;
    this.#own = own;
    this.#gitDir = gitDir;
    this.#limitMs = limitMs;
  }

  async line(...args: readonly string[]): Promise<string> {
    const output = await git(args, { gitDir: this.#gitDir, cwd: this.#gitDir });
    return output.toString("latin1").trim();
  }

  async commit(name: string): Promise<string> {
    try {
      return await this.line("rev-parse", "--verify", "--end-of-options", `${name}^{commit}`);
    } catch (error) {
      if (!(error instanceof GitFailedError) || error.exitCode === undefined) throw error;
      throw new RevisionNotFoundError(name, error);
    }
  }

  /**
   * True if files differ from the current commit, if changes are staged, or if there are files that are neither tracked
   * nor ignored.
   */
  async isDirty(): Promise<boolean> {
    const { top } = this.#repository;
    if (isBare(this.#repository)) return false;
    await this.#copyIndex();
    const env = { GIT_WORK_TREE: top, GIT_OPTIONAL_LOCKS: "0" };
    const options = { gitDir: this.#gitDir, cwd: top, env, limitMs: this.#limitMs };
    // To compare a submodule, git would read the submodule's configuration.
    if (await gitStream(["ls-files", "--stage", "-z"], options, hasSubmodule)) return true;
    const status = ["status", "--porcelain", "-z", "--ignore-submodules=all", "--untracked-files=normal"];
    return await gitStream(["-c", "core.untrackedCache=false", ...status], options, hasAnything);
  }

  /** Copies the index, the shared parts of a split index, and `info/exclude`. */
  async #copyIndex(): Promise<void> {
    const { gitDir, commonDir } = this.#repository;
    const shared = (await readdir(gitDir)).filter((name) => /^sharedindex\.[0-9a-f]+$/.test(name));
    const found = await ifThere(stat(path.join(gitDir, "index")));
    let left = MOST_BYTES;
    for (const name of ["index", ...shared]) {
      const file = path.join(gitDir, name);
      left -= (await ifThere(copyInside(file, path.join(this.#gitDir, name), ROOTS, left))) ?? 0;
    }
    // Git reads a file again if the file is not older than the index. So the copy must have the time of the original
    // index. With a newer time, git would trust the cached state instead.
    const written = Math.floor((found?.mtimeMs ?? 0) / 1000);
    if (found) await ifThere(utimes(path.join(this.#gitDir, "index"), written, written));
    const exclude = path.join("info", "exclude");
    await mkdir(path.join(this.#own, "info"));
    await ifThere(
      copyInside(path.join(commonDir, exclude), path.join(this.#own, exclude), ROOTS, MOST_BYTES),
    );
  }
}

// The functions below do not buffer the output, because even a small index can name many files with long paths.

const SUBMODULE = Buffer.from("160000 ");

/** True if an entry of `ls-files --stage -z` is a submodule. Each entry starts with its mode. */
async function hasSubmodule(output: Readable): Promise<boolean> {
  let found = false;
  /** How many bytes of the submodule mode have matched; -1 after a mismatch, until the next entry. */
  let matched = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length && !found;) {
      if (matched === -1) {
        const end = chunk.indexOf(0, at);
        if (end === -1) break;
        at = end + 1;
        matched = 0;
      } else {
        matched = chunk[at++] === SUBMODULE[matched] ? matched + 1 : -1;
        found = matched === SUBMODULE.length;
      }
    }
  }
  return found;
}

async function hasAnything(output: Readable): Promise<boolean> {
  let found = false;
  for await (const chunk of output as AsyncIterable<Buffer>) found ||= chunk.length > 0;
  return found;
}
