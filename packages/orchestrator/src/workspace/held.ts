import { mkdirSync, realpathSync, statSync, type BigIntStats } from "node:fs";
import path from "node:path";
import { HeldFolder } from "codexwright/internal/node";
import { fileError, WorkspaceError } from "./errors.ts";

/**
 * Creates the root if it does not exist, and returns its real path. The path to the root may contain links, because the
 * operator chose it; paths inside of the root may not.
 */
export function openRoot(root: string): string {
  try {
    // Only we can enter a root that we create: others could prepare folders for issues to come.
    mkdirSync(root, { recursive: true, mode: 0o700 });
    const real = realpathSync(root);
    const stats = statSync(real, { bigint: true });
    requireOwn(real, stats);
    const isOpenToAll = (stats.mode & 0o1002n) === 0o002n;
    if (isOpenToAll && process.platform !== "win32")
      throw new WorkspaceError("workspace_error", real, "can be changed by every user of this machine");
    return real;
  } catch (error) {
    throw fileError(root, "cannot be used as the root of workspaces", error);
  }
}

/**
 * Opens a folder below the root. Goes down one part of the path after the other and refuses links, so that the folder
 * is inside of the root even if a program swaps a part of the path for a link at the same time. The caller must close
 * it.
 *
 * @param root the real path of the root
 */
export function holdInside(root: string, folder: string): HeldFolder {
  const parts = partsBelow(root, folder);
  let held: HeldFolder | undefined;
  try {
    held = HeldFolder.open(root);
    if (!held.isAt(root))
      throw new WorkspaceError("workspace_escape", root, "is not at its real path any more");
    for (const part of parts) held = step(held, part, folder);
    requireOwn(folder, statSync(held.at("."), { bigint: true }));
    return held;
  } catch (error) {
    held?.close();
    throw fileError(folder, "cannot be opened", error);
  }
}

/** Returns the parts of the path from the root to the folder. Does not look at the disk. */
export function partsBelow(root: string, folder: string): readonly string[] {
  const below = path.relative(root, path.resolve(folder));
  if (below === "") throw new WorkspaceError("workspace_root", folder, "is the root of all workspaces");
  const parts = below.split(path.sep);
  if (parts[0] === ".." || path.isAbsolute(below) || !path.isAbsolute(folder))
    throw new WorkspaceError("workspace_outside", folder, `is not inside of ${root}`);
  return parts;
}

/** Goes down one part of the path, and closes the folder above. */
function step(above: HeldFolder, part: string, folder: string): HeldFolder {
  const stats = above.look(part);
  if (stats?.isSymbolicLink()) throw new WorkspaceError("workspace_escape", folder, "leads through a link");
  if (stats && !stats.isDirectory()) throw new WorkspaceError("workspace_error", folder, "is not a folder");
  // If another program replaced the folder after this look, opening it fails.
  const next = above.folder(part);
  above.close();
  return next;
}

function requireOwn(folder: string, { uid }: BigIntStats): void {
  const own = process.getuid?.();
  if (own === undefined || own === 0 || uid === 0n || uid === BigInt(own)) return;
  throw new WorkspaceError("workspace_error", folder, `belongs to another user (uid ${uid})`);
}
