import { readFile } from "node:fs/promises";
import path from "node:path";
import { removeTree } from "../system/remove-tree.ts";
import { GitFailedError } from "./errors.ts";
import { git } from "./git.ts";
import { isInside } from "./roots.ts";

/** A worktree of a user's repository. */
export interface Worktree extends AsyncDisposable {
  readonly commit: string;
}

/** The folder of the whole repository that a folder is in: that is what a worktree shows, whichever was named. */
export async function topOf(folder: string): Promise<string> {
  const asked = await git(["rev-parse", "--is-inside-work-tree"], { cwd: folder });
  const which = asked.toString("utf8").trim() === "true" ? "--show-toplevel" : "--absolute-git-dir";
  const top = await git(["rev-parse", which], { cwd: folder });
  return top.toString("utf8").replace(/\n$/, "");
}

/** Adds a worktree without a branch. No hook and no filter of the repository's runs, and nothing is fetched; the repository gets an entry for it, until it is disposed of. */
export async function addWorktree(repo: string, ref: string, dir: string): Promise<Worktree> {
  const resolved = await git(["rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`], { cwd: repo });
  const commit = resolved.toString("utf8").trim();
  const env = await withoutFilters(repo);
  await git(["worktree", "add", "--quiet", "--detach", dir, commit], { cwd: repo, env });
  const pointer = await readFile(path.join(dir, ".git"), "utf8");
  const entry = path.resolve(dir, pointer.replace(/^gitdir:\s*/, "").trim());
  const common = await git(["rev-parse", "--path-format=absolute", "--git-common-dir"], { cwd: repo });
  const entries = path.join(common.toString("utf8").trim(), "worktrees");
  return {
    commit,
    // By hand: git refuses a worktree whose `.git` is gone, and would prune others with it.
    [Symbol.asyncDispose]: async () => {
      try {
        await removeTree(dir);
      } finally {
        if (entry !== entries && isInside(entries, entry)) await removeTree(entry);
      }
    },
  };
}

/**
 * Settings that turn off the filters which the repository's own configuration names: a checkout would run their
 * programs. Those of the user's own, as for large files, stay.
 */
async function withoutFilters(repo: string): Promise<Record<string, string>> {
  const fields = (await filtersOf(repo)).split("\0");
  const keys = fields.flatMap((scope, index) => {
    if (scope !== "local" && scope !== "worktree") return [];
    const [key = ""] = (fields[index + 1] ?? "").split("\n");
    const filter = key.slice(0, key.lastIndexOf("."));
    return ["smudge", "process", "required"].map((name) => `${filter}.${name}`);
  });
  const settings = [...new Set(keys)].flatMap((key, index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, key.endsWith(".required") ? "false" : ""],
  ]);
  return Object.fromEntries([...settings, ["GIT_CONFIG_COUNT", `${settings.length / 2}`]]);
}

/** `scope NUL key LF value NUL`, again and again. */
async function filtersOf(repo: string): Promise<string> {
  try {
    const listed = await git(["config", "--null", "--show-scope", "--get-regexp", "^filter[.]"], {
      cwd: repo,
    });
    return listed.toString("utf8");
  } catch (error) {
    // There is none.
    if (error instanceof GitFailedError && error.exitCode === 1) return "";
    throw error;
  }
}
