import { offAbort, onAbort } from "codexwright/internal";
import type { Handlers } from "codexwright/endpoint";
import { ResponseError } from "codexwright/rpc";
import { fromBase64, toBase64 } from "../bytes.ts";
import { findFiles } from "./file-search.ts";
import type { EngineHost } from "../host.ts";
import type { Files } from "../ports.ts";

/** Changes within this time are reported in one notification, as Codex does. */
const BATCH_MS = 200;

/** The methods by which clients read, write, watch and search files. */
export function fileMethods(host: EngineHost): Handlers {
  const { files } = host;
  const absolute = (file: string): string => checkAbsolute(host, file);
  return {
    "fs/readFile": async (params) => {
      const file = absolute(params.path);
      if ((await told(files.metadata(file))).isDirectory)
        throw new ResponseError(-32600, `path \`${file}\` is not a file`);
      return { dataBase64: toBase64(await told(files.read(file))) };
    },
    "fs/writeFile": async (params) => {
      await told(files.write(absolute(params.path), bytesOf(params.dataBase64)));
      return {};
    },
    "fs/createDirectory": async (params) => {
      await told(files.createDirectory(absolute(params.path), params.recursive ?? true));
      return {};
    },
    "fs/getMetadata": async (params) => ({ ...(await told(files.metadata(absolute(params.path)))) }),
    "fs/readDirectory": async (params) => {
      const entries = await told(files.list(absolute(params.path)));
      return {
        entries: entries.map(({ name, isDirectory, isFile }) => ({ fileName: name, isDirectory, isFile })),
      };
    },
    "fs/copy": async ({ sourcePath, destinationPath, recursive }) => {
      const folder = (await told(files.metadata(absolute(sourcePath)))).isDirectory;
      if (folder && !recursive) {
        throw new ResponseError(-32600, "fs/copy requires recursive: true when sourcePath is a directory");
      }
      if (folder && isBelow(host, destinationPath, sourcePath)) {
        throw new ResponseError(
          -32600,
          "fs/copy cannot copy a directory to itself or one of its descendants",
        );
      }
      await told(files.copy(sourcePath, absolute(destinationPath), recursive ?? false));
      return {};
    },
    "fs/remove": async (params) => {
      const { recursive, force } = params;
      const options = { recursive: recursive ?? true, force: force ?? true };
      await told(files.remove(absolute(params.path), options));
      return {};
    },
    ...watchMethods(host),
    fuzzyFileSearch: async ({ query, roots }) => ({ files: await findFiles(files, query, roots) }),
  };
}

function watchMethods(host: EngineHost): Handlers {
  const { files } = host;
  const watchers = new Map<string, ReturnType<Files["watch"]>>();
  return {
    "fs/watch": async (params, { connection, signal }) => {
      const { watchId } = params;
      const key = `${connection.id} ${watchId}`;
      const file = checkAbsolute(host, params.path);
      if (watchers.has(key)) throw new ResponseError(-32600, `watchId already exists: ${watchId}`);
      await told(files.metadata(file));
      let changed = new Set<string>();
      const begin = (): ReturnType<Files["watch"]> =>
        files.watch(file, (each) => {
          if (changed.size === 0) setTimeout(tell, BATCH_MS);
          changed.add(each);
        });
      const watcher = await told(Promise.resolve().then(begin));
      const tell = (): void => {
        const changedPaths = [...changed].toSorted();
        changed = new Set();
        if (watchers.get(key) === own) connection.notify("fs/changed", { watchId, changedPaths });
      };
      const own = {
        close: (): void => {
          watcher.close();
          watchers.delete(key);
          offAbort(signal, own.close);
        },
      };
      watchers.set(key, own);
      onAbort(signal, own.close);
      // The client may have gone while the file was looked at.
      if (signal.aborted) own.close();
      return { path: file };
    },
    "fs/unwatch": ({ watchId }, { connection }) => {
      watchers.get(`${connection.id} ${watchId}`)?.close();
      return {};
    },
  };
}

function isBelow({ platform }: EngineHost, file: string, folder: string): boolean {
  const { paths } = platform;
  const [inner, outer] = [paths.resolve(file), paths.resolve(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(paths.sep) ? outer : `${outer}${paths.sep}`);
}

function checkAbsolute(host: EngineHost, file: string): string {
  if (host.platform.paths.isAbsolute(file)) return file;
  throw new ResponseError(-32600, "Invalid request: AbsolutePathBuf deserialized without a base path");
}

function bytesOf(text: string): Uint8Array {
  const at = text.search(/[^A-Za-z0-9+/=]/);
  if (at === -1) return fromBase64(text);
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

/** Converts a file system failure to an internal error with the text of the operating system. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = "", message } = error as Error & { readonly code?: string };
    throw new ResponseError(-32603, SYSTEM[code] ?? message);
  }
}
