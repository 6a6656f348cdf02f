import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

const WINDOWS = process.platform === "win32";

/**
 * Finds a program on PATH. Relative entries are skipped: they would start a program of the folder that is worked in,
 * which is a repository's to write.
 */
export function findProgram(name: string, searchPath: string | undefined): string | undefined {
  return (searchPath ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, WINDOWS ? `${name}.exe` : name))
    .find(isExecutable);
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
