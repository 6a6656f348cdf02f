import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

const WINDOWS = process.platform === "win32";

/**
 * Finds a program on PATH. Relative entries are skipped: they would start a program of the folder that is worked in,
 * which is a repository's to write.
 */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  return absoluteFolders(searchPath)
    .map((folder) => path.join(folder, WINDOWS ? `${name}.exe` : name))
    .find(isExecutable);
}

/** A PATH without its relative entries; an empty entry is relative too, because it means the current folder. */
export function absoluteEntries(searchPath: string | undefined): string {
  return absoluteFolders(searchPath).join(path.delimiter);
}

/** True for a file that this process may execute. */
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

/** Windows calls `\bin` absolute, though it is on whichever drive is current: it needs a drive or a share. */
function isFullPath(folder: string): boolean {
  return path.isAbsolute(folder) && (!WINDOWS || /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(folder));
}
