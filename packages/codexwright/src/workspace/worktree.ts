import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { git } from "./git.ts";
import { isInside } from "./roots.ts";

/** A worktree of a user's repository. */
export interface Worktree extends AsyncDisposable {
  readonly commit: string;
}

/** Adds a worktree without a branch. No hook runs; the repository gets an entry for it, until it is disposed of. */
export async function addWorktree(repo: string, ref: string, dir: string): Promise<Worktree> {
  const resolved = await git(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`], { cwd: repo });
  const commit = resolved.toString("utf8").trim();
  await git(["worktree", "add", "--quiet", "--detach", dir, commit], { cwd: repo });
  const pointer = await readFile(path.join(dir, ".git"), "utf8");
  const entry = path.resolve(dir, pointer.replace(/^gitdir:\s*/, "").trim());
  const common = await git(["rev-parse", "--path-format=absolute", "--git-common-dir"], { cwd: repo });
  const entries = path.join(common.toString("utf8").trim(), "worktrees");
  return {
    commit,
    // By hand: git refuses a worktree whose `.git` is gone, and would prune others with it.
    [Symbol.asyncDispose]: async () => {
      await rm(dir, { recursive: true, force: true });
      if (entry !== entries && isInside(entries, entry)) await rm(entry, { recursive: true, force: true });
    },
  };
}
