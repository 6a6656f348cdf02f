import { lstat, stat } from "node:fs/promises";
import path from "node:path";
import { GitFailedError, WorkspaceSecurityError, worktreeError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { readInside } from "../inside.ts";
import { allowedSource, type AllowedRoots } from "../roots.ts";

/** The real paths of the parts of a repository. All of them are inside the allowed roots. */
export interface Repository {
  /** The folder that contains `.git`. If the repository is bare, the git folder itself. */
  readonly top: string;
  /** The git folder of this worktree, with `HEAD`. */
  readonly gitDir: string;
  /** The git folder of the whole repository, with the objects and references. */
  readonly commonDir: string;
}

/**
 * Finds the repository of a folder. Does not run git, because git would read the repository's configuration.
 *
 * Follows links, `.git` files and `commondir` files, but checks each place against the roots before it is read.
 */
export async function findRepository(folder: string, roots: AllowedRoots): Promise<Repository> {
  try {
    return await find(folder, roots);
  } catch (error) {
    throw worktreeError(error);
  }
}

async function find(folder: string, roots: AllowedRoots): Promise<Repository> {
  const found = await repositoryOf(folder, roots);
  if (found) return found;
  throw new GitFailedError("worktree", `${JSON.stringify(folder)} is not in a git repository`);
}

/** Like {@link findRepository}, but returns undefined if the folder is not in a repository. */
export async function repositoryOf(folder: string, roots: AllowedRoots): Promise<Repository | undefined> {
  for (let top = folder; ; top = path.dirname(top)) {
    const found = await gitDirOf(top, roots);
    if (found !== undefined) {
      await allowedSource(top, roots, true);
      return { top, gitDir: found, commonDir: await commonDirOf(found, roots) };
    }
    if (path.dirname(top) === top) return undefined;
  }
}

async function gitDirOf(top: string, roots: AllowedRoots): Promise<string | undefined> {
  const dotGit = path.join(top, ".git");
  if (await ifThere(lstat(dotGit))) {
    const real = await allowedSource(dotGit, roots, true);
    if ((await stat(real)).isDirectory()) return (await isGitDir(real)) ? real : undefined;
    const target = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec(await readInside(dotGit, roots))?.[1];
    if (target === undefined)
      throw new WorkspaceSecurityError(dotGit, 'must name a git folder, in the form "gitdir: path"');
    return await allowedSource(path.resolve(top, target), roots, true);
  }
  return (await isGitDir(top)) ? top : undefined;
}

/** Uses the same criteria as git. If there is a `commondir` file, `objects` and `refs` are in another folder. */
async function isGitDir(dir: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> =>
    (await ifThere(lstat(path.join(dir, name)))) !== undefined;
  if (!(await has("HEAD"))) return false;
  return (await has("commondir")) || ((await has("objects")) && (await has("refs")));
}

async function commonDirOf(gitDir: string, roots: AllowedRoots): Promise<string> {
  const file = path.join(gitDir, "commondir");
  if (!(await ifThere(lstat(file)))) return gitDir;
  const text = (await readInside(file, roots)).replace(/[\r\n]+$/, "");
  return await allowedSource(path.resolve(gitDir, text), roots, true);
}
