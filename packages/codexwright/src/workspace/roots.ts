import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { FileNotFoundError } from "../agent/resources/memory-fs.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { WorkspaceSecurityError } from "./errors.ts";
import * as is from "../rpc/options/check.ts";

/** Folders of the host that may be read. To allow every folder, pass `"any"` explicitly. */
export type AllowedRoots = readonly string[] | "any";

export const ALLOWED_ROOTS: is.Check<AllowedRoots> = is.either(is.oneOf("any"), is.listOf(is.text));

/** Resolves symbolic links in the roots. Throws `invalid_argument` if the list is empty. */
export async function realRoots(roots: AllowedRoots): Promise<AllowedRoots> {
  if (roots === "any") return roots;
  if (roots.length === 0) {
    throw new InvalidArgumentError('allowedRoots must name at least one folder, or be "any"');
  }
  return await Promise.all(
    roots.map(async (root) => {
      if (!path.isAbsolute(root)) {
        throw new InvalidArgumentError(`the allowed root ${JSON.stringify(root)} must be an absolute path`);
      }
      return await existing(root, async (file) => realpath(file));
    }),
  );
}

/**
 * Returns the real path of a file or folder on the host, if it may be read.
 *
 * Checks for a symbolic link before the path is resolved, because a resolved path no longer shows whether it was a
 * link.
 */
export async function allowedSource(
  from: string,
  roots: AllowedRoots,
  followSymlinks: boolean,
): Promise<string> {
  const stat = await existing(from, async (file) => lstat(file));
  if (stat.isSymbolicLink() && !followSymlinks) {
    throw new WorkspaceSecurityError(from, "is a symbolic link, and followSymlinks is not set");
  }
  const real = await existing(from, async (file) => realpath(file));
  if (roots !== "any" && !roots.some((root) => isInside(root, real))) {
    throw new WorkspaceSecurityError(from, "is outside of the allowed roots");
  }
  return real;
}

/** True for the folder itself and everything in it. Both paths must be real paths. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative));
}

async function existing<T>(file: string, look: (file: string) => Promise<T>): Promise<T> {
  try {
    return await look(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") throw new FileNotFoundError(file);
    throw resourceExhausted(`looking at ${file}`, error) ?? error;
  }
}
