import { CodexError, InvalidArgumentError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { partsOf, type FileSystem } from "./file-system.ts";
import type { Snapshotable } from "./resource.ts";

/** The file does not exist. */
export class FileNotFoundError extends CodexError {
  readonly code = "file_not_found";
  readonly path: string;

  constructor(path: string) {
    super(`file ${JSON.stringify(path)} does not exist`);
    this.path = path;
  }
}

/** Immutable: a write creates new folders along the path and shares all others. */
type Folder = ReadonlyMap<string, Folder | Uint8Array>;

const EMPTY: Folder = new Map();

const FILES = is.recordOf(is.either(is.text, is.bytes));

/** A snapshot of a `memoryFs`. */
export interface MemorySnapshot {
  readonly root: unknown;
}

/** A file system in memory. Snapshots copy no files. */
export interface MemoryFs extends FileSystem, Snapshotable<MemorySnapshot> {
  snapshot(): MemorySnapshot;
  restore(snapshot: MemorySnapshot): void;
}

/** Creates a file system in memory with the given files. */
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
  if (parts.length === 0) throw new InvalidArgumentError("the path must name a file, not the root folder");
  return parts;
}

/** Copies the bytes, so that the caller can change its array later. */
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
    throw new InvalidArgumentError(
      `${JSON.stringify(name)} is a folder and cannot be overwritten with a file`,
    );
  }
  if (rest.length > 0 && there instanceof Uint8Array) {
    throw new InvalidArgumentError(`${JSON.stringify(name)} is a file and cannot contain other files`);
  }
  const inner = there instanceof Map ? there : EMPTY;
  return new Map(folder).set(name, rest.length === 0 ? file : written(inner, rest, file));
}

/** Also removes parent folders that become empty: a folder exists only because of its files. */
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
