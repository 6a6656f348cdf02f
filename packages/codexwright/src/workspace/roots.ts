import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { FileNotFoundError } from "../agent/resources/memory-fs.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { WorkspaceSecurityError } from "./errors.ts";
import * as is from "../rpc/options/check.ts";

/** Folders of the host that may be read; `"any"` has to be said. */
export type AllowedRoots = readonly string[] | "any";

export const ALLOWED_ROOTS: is.Check<AllowedRoots> = is.either(is.oneOf("any"), is.listOf(is.text));

/** The roots without symbolic links; `invalid_argument` for none. */
export async function realRoots(roots: AllowedRoots): Promise<AllowedRoots> {
  if (roots === "any") return roots;
  if (roots.length === 0) {
    throw new InvalidArgumentError('allowedRoots is empty: name the folders that may be read, or "any"');
  }
  return await Promise.all(
    roots.map(async (root) => {
      if (!path.isAbsolute(root)) {
        throw new InvalidArgumentError(`the allowed root ${JSON.stringify(root)} is not an absolute path`);
      }
      return await existing(root, async (file) => realpath(file));
    }),
  );
}

/**
 * Where a path of the host really is, provided that it may be read.
 *
 * A symbolic link is found out before anything is resolved: afterwards it could not be told from a file.
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

/** True for a folder itself and for everything in it. Both paths must be real ones. */
export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative));
}

async function existing<T>(file: string, look: (file: string) => Promise<T>): Promise<T> {
  try {
    return await look(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new FileNotFoundError(file);
    throw resourceExhausted(`looking at ${file}`, error) ?? error;
  }
}
