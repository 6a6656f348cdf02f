/** Reads and writes files. Its errors must have Node's `code`, such as "ENOENT". */
export interface Files {
  /**
   * Returns the text of a file, or `undefined` if it cannot be read. This method and the next two are synchronous
   * because the engine checks and writes patches without a pause.
   */
  readText(file: string): string | undefined;
  /** Writes a file, and creates its folder if it does not exist. */
  writeText(file: string, text: string): void;
  /** Removes a file if it exists. */
  removeFile(file: string): void;
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
