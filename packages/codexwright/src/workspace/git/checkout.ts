import type { BigIntStats } from "node:fs";
import { lstat, mkdir, open, symlink } from "node:fs/promises";
import path from "node:path";
import { readBlobs, type Pieces } from "./blobs.ts";
import { GitFailedError, WorkspaceSecurityError } from "../errors.ts";
import { FILE, LINK, PROGRAM, SUBMODULE, type IndexEntry } from "./index-file.ts";

const WINDOWS = process.platform === "win32";

/** Maximum length of a link target: longer than any system allows. */
const LONGEST_LINK = 65_536;

/** Called with the stat of each written file. */
export type Written = (entry: IndexEntry, stat: BigIntStats) => void;

/**
 * Writes the files of an index into a new folder, without filters or conversions. Submodules become empty folders.
 *
 * Symbolic links are written last. Until then the folder contains no links, so nothing can be written through one.
 */
export async function checkOut(
  gitDir: string,
  dir: string,
  entries: readonly IndexEntry[],
  written: Written,
): Promise<void> {
  for (const { path: name } of entries) checkName(name);
  const root = Buffer.from(dir).toString("latin1");
  const place = (name: string): Buffer => Buffer.from(`${root}/${name}`, "latin1");
  const folders = entries.map(({ mode, path: name }) =>
    mode === SUBMODULE ? name : path.posix.dirname(name),
  );
  for (const folder of new Set(folders)) await ifFree(mkdir(place(folder), { recursive: true }));
  // Use a time in the past. Git can then detect every later change by the time of the file, and need not read unchanged
  // files.
  const time = Math.floor(Date.now() / 1000) - 10;
  const files = entries.filter(({ mode }) => mode === FILE || mode === PROGRAM);
  await readBlobs(gitDir, files, async (entry, pieces) => {
    const stat = await ifFree(writeFile(place(entry.path), entry.mode, pieces, time));
    if (stat) written(entry, stat);
  });
  const links = entries.filter(({ mode }) => mode === LINK);
  await readBlobs(gitDir, links, async (entry, pieces) => {
    const stat = await ifFree(writeLink(place(entry.path), pieces));
    if (stat) written(entry, stat);
  });
}

/** Rejects unsafe names. Git already checks names when it creates an index, but we do not rely on that. */
function checkName(name: string): void {
  const odd = name.split("/").some((part) => /^(?:\.{0,2}|\.git)$/i.test(part));
  if (odd || name.includes("\0") || (WINDOWS && /[\\:]/.test(name))) {
    throw new WorkspaceSecurityError(name, "is not an allowed file name in a worktree");
  }
}

async function writeFile(target: Buffer, mode: number, pieces: Pieces, time: number): Promise<BigIntStats> {
  // `wx` does not follow a link, and fails if the name exists.
  const file = await open(target, "wx", mode === PROGRAM ? 0o755 : 0o644);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.utimes(time, time);
    return await file.stat({ bigint: true });
  } finally {
    await file.close();
  }
}

async function writeLink(target: Buffer, pieces: Pieces): Promise<BigIntStats> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) {
    parts.push(piece);
    if (parts.reduce((sum, { length }) => sum + length, 0) > LONGEST_LINK) {
      throw new GitFailedError(
        "worktree",
        `the target of the link ${JSON.stringify(target.toString())} must have at most ${LONGEST_LINK} bytes`,
      );
    }
  }
  await symlink(Buffer.concat(parts), target);
  return await lstat(target, { bigint: true });
}

/**
 * Returns undefined if another entry already has the name. On a case-insensitive file system, two names can be the
 * same; the first entry stays.
 */
async function ifFree<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
