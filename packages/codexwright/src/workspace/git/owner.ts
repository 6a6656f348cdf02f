import { lstat } from "node:fs/promises";
import path from "node:path";
import { GitFailedError, WorkspaceSecurityError } from "../errors.ts";
import { git } from "./git.ts";
import type { Repository } from "./repository.ts";

/**
 * Rejects a repository of another user, as git does, unless the user's `safe.directory` setting names it. We never run
 * programs that the configuration of such a repository names. But git would run them later in the new worktree, because
 * the worktree itself belongs to the user.
 *
 * @param ownGitDir a git folder created by `makeGitDir`, for git to run in
 */
export async function checkOwner({ top, gitDir, commonDir }: Repository, ownGitDir: string): Promise<void> {
  const user = process.geteuid?.();
  // Windows has no numeric user ids.
  if (user === undefined) return;
  const users = [user, ...(user === 0 ? [Number(process.env["SUDO_UID"] ?? 0)] : [])];
  const places = [top, gitDir, commonDir];
  const owners = await Promise.all(places.map(async (place) => (await lstat(place)).uid));
  if (owners.every((owner) => users.includes(owner))) return;
  const safe = await safeFolders(ownGitDir);
  if (safe.some((folder) => covers(folder, top))) return;
  throw new WorkspaceSecurityError(
    top,
    "belongs to another user: add it to your git setting safe.directory to allow it",
  );
}

function covers(safe: string, folder: string): boolean {
  if (safe === "*") return true;
  return safe.endsWith("/*") ? folder.startsWith(safe.slice(0, -1)) : path.resolve("/", safe) === folder;
}

/** The `safe.directory` folders that the user and the machine have set. An empty value clears the values before it. */
async function safeFolders(gitDir: string): Promise<readonly string[]> {
  try {
    const listed = await git(["config", "--null", "--type=path", "--get-all", "safe.directory"], {
      gitDir,
      cwd: gitDir,
      userConfig: true,
    });
    const folders = listed.toString("utf8").split("\0").slice(0, -1);
    return folders.slice(folders.lastIndexOf("") + 1);
  } catch (error) {
    if (error instanceof GitFailedError && error.exitCode === 1) return [];
    throw error;
  }
}
