import { cp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { WorkspaceSecurityError } from "../errors.ts";
import { git } from "./git.ts";
import type { Formats } from "./git-dir.ts";
import { ifThere } from "../if-there.ts";

/** The initial state of a worktree. */
export interface NewWorktree {
  readonly commit: string;
  readonly index: Buffer;
  readonly refs: Formats["refs"];
  /** A git folder that `makeGitDir` created and that contains the objects of the commit. */
  readonly gitDir: string;
}

/**
 * Registers a worktree in its repository, as `git worktree add` does, and returns the path of the entry. The entry is
 * named after the folder, so the name of the folder must be unique.
 */
export async function addEntry(commonDir: string, dir: string, made: NewWorktree): Promise<string> {
  const entries = path.join(commonDir, "worktrees");
  await mkdir(entries, { recursive: true });
  // A link would make us write outside of the repository.
  if ((await realpath(entries)) !== entries) throw new WorkspaceSecurityError(entries, "is a symbolic link");
  const entry = path.join(entries, path.basename(dir));
  await mkdir(entry);
  try {
    // Git prunes an incomplete entry, unless it is locked.
    await writeFile(path.join(entry, "locked"), "being made\n");
    await writeFile(path.join(entry, "commondir"), "../..\n");
    await writeFile(path.join(entry, "gitdir"), `${path.join(dir, ".git")}\n`);
    await writeFile(path.join(entry, "index"), made.index);
    await writeHead(entry, made);
    await writeFile(path.join(dir, ".git"), `gitdir: ${entry}\n`);
    await rm(path.join(entry, "locked"));
  } catch (error) {
    await removeEntry(entry);
    throw error;
  }
  return entry;
}

/**
 * Removes the entry without running git. Git refuses to remove a worktree whose `.git` is gone, and would also prune
 * other worktrees.
 */
export async function removeEntry(entry: string): Promise<void> {
  if ((await ifThere(realpath(entry))) === entry) await rm(entry, { recursive: true, force: true });
}

async function writeHead(entry: string, { commit, refs, gitDir }: NewWorktree): Promise<void> {
  if (refs === "files") return await writeFile(path.join(entry, "HEAD"), `${commit}\n`);
  // Let git write the reference tables in `gitDir`, because that folder has only our own configuration.
  const own = path.join(gitDir, "worktrees", "new");
  await mkdir(path.join(own, "reftable"), { recursive: true });
  await mkdir(path.join(own, "refs"));
  await writeFile(path.join(own, "reftable", "tables.list"), "");
  await writeFile(path.join(own, "refs", "heads"), "this repository uses the reftable format\n");
  await writeFile(path.join(own, "HEAD"), "ref: refs/heads/.invalid\n");
  await writeFile(path.join(own, "commondir"), "../..\n");
  await git(["update-ref", "--no-deref", "HEAD", commit], { gitDir: own, cwd: own });
  for (const name of ["HEAD", "refs", "reftable"]) {
    await cp(path.join(own, name), path.join(entry, name), { recursive: true });
  }
}
