import type { BigIntStats } from "node:fs";
import { lstat, mkdir, open, symlink } from "node:fs/promises";
import path from "node:path";
import { readBlobs, type Pieces } from "./blobs.ts";
import { GitFailedError, WorkspaceSecurityError } from "../errors.ts";
import { FILE, LINK, PROGRAM, SUBMODULE, type IndexEntry } from "./index-file.ts";

const WINDOWS = process.platform === "win32";

/** No system has longer targets of links. */
const LONGEST_LINK = 65_536;

/** Called with the state of each file that was written. */
export type Written = (entry: IndexEntry, stat: BigIntStats) => void;

/**
 * Writes the files of an index into a new folder, as they are in the repository: no filter and no conversion changes
 * them. Submodules become empty folders.
 *
 * Links come last. Until then there is none in the folder, so nothing is written through one.
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
  // The time is in the past: git sees every later change by it, and need not read a file that has none.
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

/** Git checks the names when it makes an index. This must hold whatever git does. */
function checkName(name: string): void {
  const odd = name.split("/").some((part) => /^(?:\.{0,2}|\.git)$/i.test(part));
  if (odd || name.includes("\0") || (WINDOWS && /[\\:]/.test(name))) {
    throw new WorkspaceSecurityError(name, "is not a name that a file of a worktree may have");
  }
}

async function writeFile(target: Buffer, mode: number, pieces: Pieces, time: number): Promise<BigIntStats> {
  // Does not follow a link, and fails if anything has the name.
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
      throw new GitFailedError("worktree", `the link ${JSON.stringify(target.toString())} is too long`);
    }
  }
  await symlink(Buffer.concat(parts), target);
  return await lstat(target, { bigint: true });
}

/** Undefined if another entry has the name already: on a file system that ignores case, the first one stays. */
async function ifFree<T>(made: Promise<T>): Promise<T | undefined> {
  try {
    return await made;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
