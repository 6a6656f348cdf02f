import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from "node:fs";
import path from "node:path";
import { HeldFolder } from "codexwright/internal/node";
import type { Files } from "../core/ports.ts";

type RegularFiles = Pick<
  Files,
  "kind" | "version" | "head" | "readRegular" | "replaceRegular" | "removeRegular"
>;

const HEAD_BYTES = 4096;
/** The kernel's own files have no size, and reading some of them never ends. */
const SPECIAL = /^\/(?:proc|sys|dev)(?:\/|$)/;
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/**
 * Reads and writes regular files by paths without links. Each folder is opened from the one before it, so another
 * process that replaces a folder with a link cannot redirect a write. (Only Linux can do this. On other systems a
 * process that swaps a folder at the right moment can.)
 *
 * The calls are synchronous, so that no other task of this process runs between a check and its use.
 */
export const regularFiles: RegularFiles = {
  kind: (file) => {
    try {
      const found = lstatSync(file);
      if (found.isSymbolicLink()) return { link: readlinkSync(file) };
      return found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  version: (file) => {
    const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    return found && versionOf(found);
  },
  head: (file) => {
    try {
      return withFolder(file, false, (folder, name) => {
        const { bytes } = readAt(folder, name, HEAD_BYTES, true);
        return new TextDecoder().decode(bytes);
      });
    } catch {
      return undefined;
    }
  },
  readRegular: async (file, limit) => {
    await Promise.resolve();
    if (SPECIAL.test(file)) throw problem(file, "is not a regular file");
    try {
      return withFolder(file, false, (folder, name) => readAt(folder, name, limit, false));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
  replaceRegular: async (file, bytes, expected) => {
    await Promise.resolve();
    if (SPECIAL.test(file)) throw problem(file, "is not a regular file");
    return withFolder(file, expected === undefined, (folder, name) =>
      replaceAt(folder, name, bytes, expected),
    );
  },
  removeRegular: async (file, expected) => {
    await Promise.resolve();
    withFolder(file, false, (folder, name) => {
      checkVersion(folder, name, expected);
      unlinkSync(folder.at(name));
    });
  },
};

/** Opens the folder of a file without following links, and calls `work` with the name of the file in it. */
function withFolder<T>(file: string, create: boolean, work: (folder: HeldFolder, name: string) => T): T {
  const { root, dir, base } = path.parse(file);
  if (!path.isAbsolute(file) || path.normalize(file) !== file || base === "") {
    throw problem(file, "is not an absolute path of a file");
  }
  let folder = HeldFolder.open(root);
  try {
    for (const name of dir.slice(root.length).split(path.sep).filter(Boolean)) {
      if (create && !folder.look(name)) makeFolder(folder, name);
      const next = folder.folder(name);
      folder.close();
      folder = next;
    }
    return work(folder, base);
  } finally {
    folder.close();
  }
}

function makeFolder(folder: HeldFolder, name: string): void {
  try {
    mkdirSync(folder.at(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function readAt(
  folder: HeldFolder,
  name: string,
  limit: number,
  cut: boolean,
): { readonly bytes: Uint8Array; readonly version: string } {
  const fd = openSync(folder.at(name), READ);
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw problem(name, "is not a regular file");
    if (!cut && stats.size > limit) throw problem(name, `is larger than ${limit} bytes`);
    const bytes = new Uint8Array(Math.min(limit, Number(stats.size)) + 1);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    if (!cut && length > Number(stats.size)) throw problem(name, "grows while it is read");
    return { bytes: bytes.subarray(0, Math.min(length, limit)), version: versionOf(stats) };
  } finally {
    closeSync(fd);
  }
}

function replaceAt(
  folder: HeldFolder,
  name: string,
  bytes: Uint8Array,
  expected: string | undefined,
): string {
  const old = checkVersion(folder, name, expected);
  if (old && !old.isFile()) throw problem(name, "is not a regular file");
  const temporary = `.${randomUUID()}.tmp`;
  const at = folder.at(temporary);
  let renamed = false;
  const fd = openSync(at, CREATE, 0o666);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    if (old) keepOwner(at, old, fstatSync(fd, { bigint: true }));
    fsyncSync(fd);
    if (old) {
      checkVersion(folder, name, expected);
      renameSync(at, folder.at(name));
      renamed = true;
    } else {
      renamed = place(at, folder, name);
    }
  } finally {
    closeSync(fd);
    if (!renamed) rmSync(at, { force: true });
  }
  return versionOf(lstatSync(folder.at(name), { bigint: true }));
}

/** Puts a new file in its place. Returns whether the temporary name is gone. */
function place(at: Buffer, folder: HeldFolder, name: string): boolean {
  try {
    // Unlike a rename, a link does not replace a file that was created meanwhile.
    linkSync(at, folder.at(name));
    return false;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw problem(name, "exists by now");
    // This file system has no hard links.
    checkVersion(folder, name, undefined);
    renameSync(at, folder.at(name));
    return true;
  }
}

/** Gives the new file the permissions and, if possible, the owner of the old one. */
function keepOwner(file: Buffer, old: BigIntStats, now: BigIntStats): void {
  if (old.uid !== now.uid || old.gid !== now.gid) {
    try {
      chownSync(file, Number(old.uid), Number(old.gid));
    } catch {
      // Only root may give files away.
    }
  }
  chmodSync(file, Number(old.mode & 0o777n));
}

function checkVersion(
  folder: HeldFolder,
  name: string,
  expected: string | undefined,
): BigIntStats | undefined {
  const found = folder.look(name);
  if ((found && versionOf(found)) !== expected) {
    throw problem(name, expected === undefined ? "exists by now" : "has changed meanwhile");
  }
  return found;
}

function versionOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(":");
}

function problem(file: string, what: string): Error {
  return new Error(`${file} ${what}`);
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ENOTDIR";
}
