import { CodexError, InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { partsOf, type FileSystem } from "./file-system.ts";
import type { Snapshotable } from "./resource.ts";

/** There is no file of this path. */
export class FileNotFoundError extends CodexError {
  readonly code = "file_not_found";
  readonly path: string;

  constructor(path: string) {
    super(`there is no file ${JSON.stringify(path)}`);
    this.path = path;
  }
}

/** A folder never changes: writing makes new ones along the path and shares the rest. */
type Folder = ReadonlyMap<string, Folder | Uint8Array>;

const EMPTY: Folder = new Map();

const FILES = is.recordOf(is.either(is.text, is.bytes));

/** A moment of a `memoryFs`. */
export interface MemorySnapshot {
  readonly root: unknown;
}

/** A file system in memory, whose snapshots copy nothing. */
export interface MemoryFs extends FileSystem, Snapshotable<MemorySnapshot> {
  snapshot(): MemorySnapshot;
  restore(snapshot: MemorySnapshot): void;
}

/** Makes a file system in memory, with these files. */
export function memoryFs(files: Readonly<Record<string, string | Uint8Array>> = {}): MemoryFs {
  is.checkArgument("memoryFs()", "files", files, FILES);
  let root = EMPTY;
  for (const [path, content] of Object.entries(files)) root = written(root, filePath(path), bytesOf(content));

  const read = async (path: string): Promise<Uint8Array> => {
    const file = find(root, partsOf(path));
    if (!(file instanceof Uint8Array)) throw new FileNotFoundError(path);
    return Promise.resolve(file.slice());
  };
  return {
    read,
    readText: async (path) => new TextDecoder().decode(await read(path)),
    write: async (path, content) => {
      root = written(root, filePath(path), bytesOf(content));
      return Promise.resolve();
    },
    remove: async (path) => {
      root = removed(root, filePath(path));
      return Promise.resolve();
    },
    exists: async (path) => Promise.resolve(find(root, partsOf(path)) !== undefined),
    list: async (folder = "") => {
      const parts = partsOf(folder);
      const found = find(root, parts);
      return Promise.resolve(found instanceof Map ? [...paths(found, parts)].toSorted() : []);
    },
    snapshot: () => ({ root }),
    restore: (snapshot) => {
      root = snapshot.root as Folder;
    },
  };
}

function filePath(path: string): string[] {
  const parts = partsOf(path);
  if (parts.length === 0) throw new InvalidArgumentError("the path is the root folder: give one of a file");
  return parts;
}

/** A copy: what the caller does to its bytes later is its own. */
function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
}

function find(folder: Folder, parts: readonly string[]): Folder | Uint8Array | undefined {
  let at: Folder | Uint8Array | undefined = folder;
  for (const part of parts) at = at instanceof Map ? at.get(part) : undefined;
  return at;
}

function written(folder: Folder, [name = "", ...rest]: readonly string[], file: Uint8Array): Folder {
  const there = folder.get(name);
  if (rest.length === 0 && there instanceof Map) {
    throw new InvalidArgumentError(`${JSON.stringify(name)} is a folder and cannot be written as a file`);
  }
  if (rest.length > 0 && there instanceof Uint8Array) {
    throw new InvalidArgumentError(`${JSON.stringify(name)} is a file and cannot hold others`);
  }
  const inner = there instanceof Map ? there : EMPTY;
  return new Map(folder).set(name, rest.length === 0 ? file : written(inner, rest, file));
}

/** Folders that became empty go too: only files make them. */
function removed(folder: Folder, [name = "", ...rest]: readonly string[]): Folder {
  const there = folder.get(name);
  if (there === undefined || (rest.length > 0 && !(there instanceof Map))) return folder;
  const copy = new Map(folder);
  const inner = there instanceof Map && rest.length > 0 ? removed(there, rest) : EMPTY;
  if (inner.size > 0) copy.set(name, inner);
  else copy.delete(name);
  return copy;
}

function* paths(folder: Folder, parts: readonly string[]): Generator<string> {
  for (const [name, entry] of folder) {
    if (entry instanceof Map) yield* paths(entry, [...parts, name]);
    else yield [...parts, name].join("/");
  }
}
