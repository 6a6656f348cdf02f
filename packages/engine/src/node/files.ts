import { watch, type Dirent } from "node:fs";
import { cp, lstat, mkdir, readFile, readdir, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FileEntry, Files } from "../core/ports.ts";
import { regularFiles } from "./regular-files.ts";

/** Reads and writes files with Node's `fs`. */
export function nodeFiles(): Files {
  return {
    ...regularFiles,
    read: (file) => readFile(file),
    write: (file, bytes) => writeFile(file, bytes),
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
    walk: async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.map((entry) => ({
        ...entryOf(entry),
        path: path.relative(folder, path.join(entry.parentPath, entry.name)),
      }));
    },
    copy: (from, to, recursive) => cp(from, to, { recursive }),
    remove: (file, options) =>
      rm(file, options).catch(async (error: NodeJS.ErrnoException) => {
        if (options.recursive || error.code !== "ERR_FS_EISDIR") throw error;
        await rmdir(file);
      }),
    watch: (file, changed) =>
      watch(file, (_event, name) => changed(name === null ? file : path.join(file, name))),
  };
}

function entryOf(entry: Dirent): FileEntry {
  return { name: entry.name, isDirectory: entry.isDirectory(), isFile: entry.isFile() };
}
