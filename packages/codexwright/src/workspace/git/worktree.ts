import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { removeTree } from "../../system/remove-tree.ts";
import { checkOut } from "./checkout.ts";
import { GitFailedError, worktreeError } from "../errors.ts";
import { git, gitStream } from "./git.ts";
import { parseIndex, seal, stamp } from "./index-file.ts";
import { lendRepository } from "./lend.ts";
import { checkLent, objectFolders } from "./object-folders.ts";
import { checkOwner } from "./owner.ts";
import type { Repository } from "./repository.ts";
import type { AllowedRoots } from "../roots.ts";
import { addEntry, removeEntry } from "./worktree-entry.ts";

/** A worktree of a user's repository. */
export interface Worktree extends AsyncDisposable {
  readonly commit: string;
}

/**
 * Adds a worktree without a branch to a repository. No git process reads the configuration of the repository: git works
 * in a temporary git folder that we create. That folder links to the objects of the repository and has copies of its
 * references.
 *
 * @param base the folder in which the temporary git folder is created
 * @param dir the folder of the worktree, which must not exist
 */
export async function addWorktree(
  repository: Repository,
  ref: string,
  roots: AllowedRoots,
  base: string,
  dir: string,
): Promise<Worktree> {
  const gitDir = path.join(base, "source.git");
  try {
    return await fromOwnGitDir(repository, ref, roots, gitDir, dir);
  } catch (error) {
    throw worktreeError(error);
  } finally {
    await removeTree(gitDir);
  }
}

async function fromOwnGitDir(
  repository: Repository,
  ref: string,
  roots: AllowedRoots,
  gitDir: string,
  dir: string,
): Promise<Worktree> {
  const { commonDir } = repository;
  const check = async (ownGitDir: string): Promise<void> => checkOwner(repository, ownGitDir);
  const lent = await lendRepository(repository, roots, gitDir, ref.includes("@{"), check);
  const { folders, formats, names } = lent;
  const resolved = await git(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`], {
    gitDir: names,
    cwd: gitDir,
  });
  const commit = resolved.toString("latin1").trim();
  const index = await indexOf(gitDir, commit);
  await mkdir(dir);
  await checkOut(gitDir, dir, parseIndex(index, formats.objects), (entry, stat) => stamp(index, entry, stat));
  seal(index, formats.objects);
  // Check again, because a link that appeared since the first check could have led git outside of the roots.
  await checkLent(folders);
  await objectFolders(commonDir, roots);
  const entry = await addEntry(commonDir, dir, { commit, index, refs: formats.refs, gitDir });
  return {
    commit,
    [Symbol.asyncDispose]: async () => {
      try {
        await removeTree(dir);
      } finally {
        await removeEntry(entry);
      }
    },
  };
}

/** Limits for one commit: the number of files and folders, and the total bytes of their paths. */
const MOST_ENTRIES = 1_000_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Rejects a commit with too many files or too many bytes of paths. A tree can refer to another tree many times, so even
 * a small repository can have any number of files.
 */
async function checkSize(gitDir: string, commit: string): Promise<void> {
  const args = ["ls-tree", "-r", "-t", "-z", "--name-only", commit];
  await gitStream(args, { gitDir, cwd: gitDir }, async (output) => {
    let entries = 0;
    let bytes = 0;
    for await (const chunk of output as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) entries++;
      if (entries > MOST_ENTRIES || bytes > MOST_BYTES) {
        const most = `${MOST_ENTRIES} files and folders, and ${MOST_BYTES} bytes of paths`;
        throw new GitFailedError("ls-tree", `the commit ${commit} must have at most ${most}`);
      }
    }
  });
}

/** Returns the index of a commit. Git rejects trees with unsafe names, such as `.git` and its variants. */
async function indexOf(gitDir: string, commit: string): Promise<Buffer> {
  const strict = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", "-c", "index.version=2"];
  await checkSize(gitDir, commit);
  await git([...strict, "read-tree", commit], { gitDir, cwd: gitDir });
  return await readFile(path.join(gitDir, "index"));
}
