import { watch, type FSWatcher } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, lstat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import { findFiles } from "./file-search.ts";

/** Changes that come together are told together. */
const BATCH_MS = 20;

/** Files are real: what a client writes is there, and patches change it. */
export function fileMethods(): Handlers {
  return {
    "fs/readFile": async (params) => {
      const file = absolute(params.path);
      if ((await told(stat(file))).isDirectory())
        throw new ResponseError(-32600, `path \`${file}\` is not a file`);
      return { dataBase64: (await told(readFile(file))).toString("base64") };
    },
    "fs/writeFile": async (params) => {
      await told(writeFile(absolute(params.path), bytesOf(params.dataBase64)));
      return {};
    },
    "fs/createDirectory": async (params) => {
      await told(mkdir(absolute(params.path), { recursive: params.recursive ?? true }));
      return {};
    },
    "fs/getMetadata": async (params) => {
      const link = await told(lstat(absolute(params.path)));
      const found = await told(stat(params.path));
      return {
        isDirectory: found.isDirectory(),
        isFile: found.isFile(),
        isSymlink: link.isSymbolicLink(),
        createdAtMs: Math.floor(found.birthtimeMs),
        modifiedAtMs: Math.floor(found.mtimeMs),
      };
    },
    "fs/readDirectory": async (params) => {
      const entries = await told(readdir(absolute(params.path), { withFileTypes: true }));
      return {
        entries: entries.map((entry) => ({
          fileName: entry.name,
          isDirectory: entry.isDirectory(),
          isFile: entry.isFile(),
        })),
      };
    },
    "fs/copy": async ({ sourcePath, destinationPath, recursive }) => {
      const folder = (await told(stat(absolute(sourcePath)))).isDirectory();
      if (folder && !recursive) {
        throw new ResponseError(-32600, "fs/copy requires recursive: true when sourcePath is a directory");
      }
      await told(cp(sourcePath, absolute(destinationPath), { recursive: recursive ?? false }));
      return {};
    },
    "fs/remove": async (params) => {
      const { recursive, force } = params;
      await told(rm(absolute(params.path), { recursive: recursive ?? true, force: force ?? true }));
      return {};
    },
    ...watchMethods(),
    fuzzyFileSearch: async ({ query, roots }) => ({ files: await findFiles(query, roots) }),
  };
}

function watchMethods(): Handlers {
  const watchers = new Map<string, FSWatcher>();
  return {
    "fs/watch": async (params, { connection, signal }) => {
      const { watchId } = params;
      const key = `${connection.id} ${watchId}`;
      const file = absolute(params.path);
      await told(stat(file));
      let changed = new Set<string>();
      const watcher = watch(file, (_event, name) => {
        if (changed.size === 0) setTimeout(tell, BATCH_MS);
        changed.add(name === null ? file : path.join(file, name));
      });
      const tell = (): void => {
        const changedPaths = [...changed].toSorted();
        changed = new Set();
        if (watchers.get(key) === watcher) connection.notify("fs/changed", { watchId, changedPaths });
      };
      watchers.set(key, watcher);
      const end = (): void => {
        watcher.close();
        watchers.delete(key);
      };
      signal.addEventListener("abort", end, { once: true });
      return { path: file };
    },
    "fs/unwatch": ({ watchId }, { connection }) => {
      const key = `${connection.id} ${watchId}`;
      watchers.get(key)?.close();
      watchers.delete(key);
      return {};
    },
  };
}

function absolute(file: string): string {
  if (path.isAbsolute(file)) return file;
  throw new ResponseError(-32600, "Invalid request: AbsolutePathBuf deserialized without a base path");
}

function bytesOf(text: string): Buffer {
  const at = text.search(/[^A-Za-z0-9+/=]/);
  if (at === -1) return Buffer.from(text, "base64");
  const why = `Invalid symbol ${text.codePointAt(at)}, offset ${at}.`;
  throw new ResponseError(-32600, `fs/writeFile requires valid base64 dataBase64: ${why}`);
}

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory (os error 2)",
  EACCES: "Permission denied (os error 13)",
  EEXIST: "File exists (os error 17)",
  ENOTDIR: "Not a directory (os error 20)",
  EISDIR: "Is a directory (os error 21)",
  ERR_FS_EISDIR: "Is a directory (os error 21)",
  ENOTEMPTY: "Directory not empty (os error 39)",
};

/** What the system refuses is an internal error, in the system's own words. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new ResponseError(-32603, SYSTEM[code] ?? message);
  }
}
