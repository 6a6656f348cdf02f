import { InvalidArgumentError } from "../../rpc/errors.ts";
import { resource, type Resource } from "./resource.ts";

/**
 * Files by path. Paths are relative, with `/` between their parts, and never lead out.
 *
 * Reading what is not there rejects with `file_not_found`.
 */
export interface FileSystem {
  read(path: string): Promise<Uint8Array>;
  readText(path: string): Promise<string>;
  /** Writes a whole file, and the folders to it. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Removes a file, or a folder with everything in it; nothing where there is none. */
  remove(path: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** The paths of all files below a folder, sorted. */
  list(folder?: string): Promise<readonly string[]>;
}

/** The file system of a run's tools. */
export const Files: Resource<FileSystem> = resource<FileSystem>("files");

/** The parts of a path; `invalid_argument` for one that is absolute or leads out. */
export function partsOf(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const bad = path.startsWith("/") || path.includes("\\") || path.includes("\0") || /^[a-z]:/i.test(path);
  if (bad || parts.includes("..")) {
    throw new InvalidArgumentError(
      `the path ${JSON.stringify(path)} is not a relative one that stays inside: give one like src/main.ts`,
    );
  }
  return parts;
}
