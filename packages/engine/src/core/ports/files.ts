/** Reads and writes files. Its errors must have Node's `code`, such as "ENOENT". */
export interface Files {
  /**
   * Returns the kind of a path without following a link in its last part, or `undefined` if nothing is there. Throws if
   * it cannot tell. Patches use this method and the next five.
   */
  kind(file: string): "folder" | "file" | "other" | { readonly link: string } | undefined;
  /** Returns the version of a file or a link, or `undefined` if nothing is there. See {@link RegularFile}. */
  version(file: string): string | undefined;
  /** Returns the first 4 KiB of a regular file, or `undefined` if it cannot be read. */
  head(file: string): string | undefined;
  /**
   * Reads a regular file. Returns `undefined` if nothing is there. Rejects for links, for anything but regular files,
   * and for more than `limit` bytes.
   */
  readRegular(file: string, limit: number): Promise<RegularFile | undefined>;
  /**
   * Writes a file at once or not at all, and creates its folder if it does not exist. Keeps the permissions of the old
   * file. Rejects if a part of the path is a link, or if the file is not in the version `expected`; `undefined` expects
   * that nothing is there. Returns the new version.
   */
  replaceRegular(file: string, bytes: Uint8Array, expected: string | undefined): Promise<string>;
  /** Removes a file or a link. Rejects if a folder of the path is a link, or if its version is not the expected one. */
  removeRegular(file: string, expected: string): Promise<void>;
  read(file: string): Promise<Uint8Array>;
  write(file: string, bytes: Uint8Array): Promise<void>;
  createDirectory(folder: string, recursive: boolean): Promise<void>;
  metadata(file: string): Promise<FileMetadata>;
  /** Returns the entries of a folder. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** Returns all entries below a folder, with paths relative to it. */
  walk(folder: string): Promise<readonly (FileEntry & { readonly path: string })[]>;
  copy(from: string, to: string, recursive: boolean): Promise<void>;
  remove(file: string, options: { readonly recursive: boolean; readonly force: boolean }): Promise<void>;
  /** Calls `changed` with each path that changes, until the watcher is closed. */
  watch(file: string, changed: (file: string) => void): { close(): void };
}

export interface FileEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

export interface FileMetadata {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A regular file as it was read. */
export interface RegularFile {
  readonly bytes: Uint8Array;
  /** Changes whenever the file changes or is replaced. */
  readonly version: string;
}
