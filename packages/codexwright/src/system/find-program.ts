import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

const WINDOWS = process.platform === "win32";

/**
 * Finds a program on PATH. Skips relative entries, because they could start a program from the current folder, which
 * may be an untrusted repository.
 */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  return absoluteFolders(searchPath)
    .map((folder) => path.join(folder, WINDOWS ? `${name}.exe` : name))
    .find(isExecutable);
}

/** Removes the relative entries of a PATH. An empty entry is relative too: it means the current folder. */
export function absoluteEntries(searchPath: string | undefined): string {
  return absoluteFolders(searchPath).join(path.delimiter);
}

/** Returns true for a file that this process may execute. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function absoluteFolders(searchPath: string | undefined): string[] {
  return (searchPath ?? "").split(path.delimiter).filter(isFullPath);
}

/**
 * Returns true for an absolute path. On Windows, a drive or a share is required, because `\bin` counts as absolute
 * although it is relative to the current drive.
 */
function isFullPath(folder: string): boolean {
  return path.isAbsolute(folder) && (!WINDOWS || /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(folder));
}
