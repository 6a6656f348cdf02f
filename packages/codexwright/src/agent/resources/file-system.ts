import { InvalidArgumentError } from "../../rpc/errors.ts";
import { resource, type Resource } from "./resource.ts";

/**
 * File access by path. Paths are relative, use `/`, and must not contain `..`.
 *
 * Reading a missing file rejects with `file_not_found`.
 */
export interface FileSystem {
  read(path: string): Promise<Uint8Array>;
  readText(path: string): Promise<string>;
  /** Writes the whole file and creates missing parent folders. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Removes a file, or a folder with its content. Does nothing if the path does not exist. */
  remove(path: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** The paths of all files below a folder, sorted. */
  list(folder?: string): Promise<readonly string[]>;
}

/** The file system that the tools of a run use. */
export const Files: Resource<FileSystem> = resource<FileSystem>("files");

/** Splits a path into its parts. Throws `invalid_argument` if it is absolute or contains `..`. */
export function partsOf(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const bad = path.startsWith("/") || path.includes("\\") || path.includes("\0") || /^[a-z]:/i.test(path);
  if (bad || parts.includes("..")) {
    throw new InvalidArgumentError(
      `the path ${JSON.stringify(path)} must be relative and must not contain "..", a backslash or a drive letter, for example src/main.ts`,
    );
  }
  return parts;
}
