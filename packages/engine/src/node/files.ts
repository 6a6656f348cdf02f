import { constants, watch, type Dirent } from "node:fs";
import { cp, lstat, mkdir, open, readdir, rm, rmdir, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { FileEntry, Files } from "../core/ports.ts";
import { regularFiles } from "./regular-files.ts";

/** The longest file that a client can read. As base64, it still fits into a string. */
const MAX_READ = 256 * 1024 * 1024;
/** Files of the kernel claim to be empty, and some of them never end. */
const MAX_WITHOUT_SIZE = 1024 * 1024;
const CHUNK = 64 * 1024;
/** How many files and folders are listed, the nearest first. */
const MAX_WALKED = 200_000;

/** Reads and writes files with Node's `fs`. */
export function nodeFiles(): Files {
  return {
    ...regularFiles,
    read,
    write,
    createDirectory: async (folder, recursive) => void (await mkdir(folder, { recursive })),
    metadata: async (file) => {
      const link = await lstat(file);
      const found = await stat(file);
      return {
        isDirectory: found.isDirectory(),
        isFile: found.isFile(),
        isSymlink: link.isSymbolicLink(),
        createdAtMs: Math.floor(found.birthtimeMs),
        modifiedAtMs: Math.floor(found.mtimeMs),
      };
    },
    list: async (folder) => (await readdir(folder, { withFileTypes: true })).map(entryOf),
    walk,
    copy: async (from, to, recursive) => {
      const found = await stat(from);
      if (!found.isDirectory() && !found.isFile()) throw new Error(`${from} is not a regular file`);
      await cp(from, to, { recursive });
    },
    remove: (file, options) =>
      rm(file, options).catch(async (error: NodeJS.ErrnoException) => {
        if (options.recursive || error.code !== "ERR_FS_EISDIR") throw error;
        await rmdir(file);
      }),
    watch: (file, changed) => {
      const watcher = watch(file, (_event, name) => changed(name === null ? file : path.join(file, name)));
      // Without a listener, a failure of the system would end the process.
      watcher.on("error", () => watcher.close());
      return watcher;
    },
  };
}

function entryOf(entry: Dirent): FileEntry {
  return { name: entry.name, isDirectory: entry.isDirectory(), isFile: entry.isFile() };
}

/** Reads a regular file. */
async function read(file: string): Promise<Uint8Array> {
  return await withRegular(file, constants.O_RDONLY, async (handle, size) => {
    const limit = size === 0 ? MAX_WITHOUT_SIZE : MAX_READ;
    const tooLarge = (): Error => new Error(`file is too large to read: limit is ${limit} bytes`);
    if (size > limit) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let length = 0;
    // The size is only what the file system claims.
    for (let wanted = size + 1; ; wanted = CHUNK) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, null);
      if (bytesRead === 0) return Buffer.concat(chunks, length);
      length += bytesRead;
      if (length > limit) throw tooLarge();
      chunks.push(buffer.subarray(0, bytesRead));
    }
  });
}

/** Writes a regular file, which is created if it does not exist. */
async function write(file: string, bytes: Uint8Array): Promise<void> {
  await withRegular(file, constants.O_WRONLY | constants.O_CREAT, async (handle) => {
    await handle.truncate();
    await handle.writeFile(bytes);
  });
}

/**
 * Opens a regular file. Opening, reading or writing a FIFO or a device could take forever, and would hold a thread that
 * all files of this process share.
 */
async function withRegular<T>(
  file: string,
  flags: number,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const handle = await open(file, flags | (constants.O_NONBLOCK ?? 0), 0o666);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new Error(`${file} is not a regular file`);
    return await work(handle, info.size);
  } finally {
    await handle.close();
  }
}

/** Lists what is in a folder, at any depth, without following links. Leaves out folders that cannot be read. */
async function walk(root: string): Promise<(FileEntry & { readonly path: string })[]> {
  const found: (FileEntry & { readonly path: string })[] = [];
  const folders = [root];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(folder, entry.name);
      found.push({ ...entryOf(entry), path: path.relative(root, file) });
      if (found.length >= MAX_WALKED) return found;
      if (entry.isDirectory()) folders.push(file);
    }
  }
  return found;
}
