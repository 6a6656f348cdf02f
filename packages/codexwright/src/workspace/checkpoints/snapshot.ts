import type { Stats } from "node:fs";
import { lstat, mkdir, open, readdir, readlink, symlink } from "node:fs/promises";
import path from "node:path";
import { WorkspaceSecurityError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { READ } from "../open-flags.ts";
import { Pending } from "../pending.ts";
import type { Store } from "./store.ts";

/** A file or link in a folder. */
export interface Kept {
  readonly mode: "100644" | "100755" | "120000";
  /** Hash of the file's content, or of the link's target. */
  readonly id: string;
}

/** The files of a folder by path. Paths have one character per byte, because names need not be UTF-8. */
export type Snapshot = ReadonlyMap<string, Kept>;

/** How often to retry a path that changes from a file to a link, or back, while it is read. */
const TRIES = 10;

/**
 * Stores all files of a folder, except those in folders named `.git`. Leaves out files that are removed in the
 * meantime.
 */
export async function takeSnapshot(root: string, store: Store): Promise<Snapshot> {
  const files = new Map<string, Stats>();
  await scan(root, "", files);
  const kept = new Map<string, Kept | undefined>([...files.keys()].map((file) => [file, undefined]));
  const pending = new Pending();
  try {
    for (const [file, stat] of files) {
      const keep = async (): Promise<void> =>
        void kept.set(file, await keepFile(`${root}/${file}`, stat, store));
      await pending.add(keep());
    }
  } finally {
    await pending.settled();
  }
  return new Map([...kept].flatMap(([file, entry]) => (entry ? [[file, entry] as const] : [])));
}

/** Restores a file. Nothing may exist at its path. */
export async function restore(root: string, file: string, kept: Kept, store: Store): Promise<void> {
  const target = bytesOf(`${root}/${file}`);
  await mkdir(bytesOf(path.posix.dirname(`${root}/${file}`)), { recursive: true });
  if (kept.mode === "120000") return await symlink(await store.bytes(kept.id), target);
  const handle = await open(target, "wx", kept.mode === "100755" ? 0o755 : 0o644);
  try {
    await store.copyTo(kept.id, handle);
  } finally {
    await handle.close();
  }
}

/** The paths that differ between two snapshots, sorted. */
export function changedPaths(from: Snapshot, to: Snapshot): readonly string[] {
  const paths = [...new Set([...from.keys(), ...to.keys()])];
  const same = (a: Kept | undefined, b: Kept | undefined): boolean => a?.id === b?.id && a?.mode === b?.mode;
  return paths.filter((file) => !same(from.get(file), to.get(file))).toSorted();
}

/** Encodes a snapshot as a sequence of `mode id TAB path NUL`. */
export function encodeSnapshot(snapshot: Snapshot): Buffer {
  return bytesOf([...snapshot].map(([file, { mode, id }]) => `${mode} ${id}\t${file}\0`).join(""));
}

/**
 * Decodes a snapshot. Throws if a path could lead out of the folder in which the snapshot is restored: the store may have
 * been changed by a command.
 */
export function decodeSnapshot(bytes: Buffer): Snapshot {
  const lines = bytes.toString("latin1").split("\0").slice(0, -1);
  const snapshot: Snapshot = new Map(
    lines.map((line) => {
      const tab = line.indexOf("\t");
      const [mode, id = ""] = line.slice(0, tab).split(" ");
      return [line.slice(tab + 1), { mode: mode as Kept["mode"], id }];
    }),
  );
  for (const [file, kept] of snapshot) {
    if (isSafe(file, snapshot) && MODES.has(kept.mode) && /^[0-9a-f]{64}$/.test(kept.id)) continue;
    throw new WorkspaceSecurityError(
      bytesOf(file).toString("utf8"),
      "cannot be in a checkpoint: the store was changed",
    );
  }
  return snapshot;
}

const MODES: ReadonlySet<string> = new Set<Kept["mode"]>(["100644", "100755", "120000"]);
const SEPARATORS = path.sep === "/" ? /\// : /[/\\:]/;

/** False for a path that leads upwards or into a `.git`, or through another entry, which may be a link. */
function isSafe(file: string, snapshot: Snapshot): boolean {
  const unsafe = (name: string): boolean =>
    name === "" || name === "." || name === ".." || name.toLowerCase() === ".git";
  if (file.split(SEPARATORS).some(unsafe)) return false;
  for (let end = file.lastIndexOf("/"); end !== -1; end = file.lastIndexOf("/", end - 1))
    if (snapshot.has(file.slice(0, end))) return false;
  return true;
}

export function bytesOf(file: string): Buffer {
  return Buffer.from(file, "latin1");
}

async function scan(root: string, at: string, files: Map<string, Stats>): Promise<void> {
  const names = await ifThere(readdir(bytesOf(`${root}/${at}`), "latin1"));
  for (const name of (names ?? []).toSorted()) {
    if (name.toLowerCase() === ".git") continue;
    const file = at === "" ? name : `${at}/${name}`;
    const stat = await ifThere(lstat(bytesOf(`${root}/${file}`)));
    if (stat?.isDirectory()) await scan(root, file, files);
    else if (stat) files.set(file, stat);
  }
}

/** Returns undefined if the path is neither a file nor a link, or no longer exists. */
async function keepFile(file: string, found: Stats, store: Store): Promise<Kept | undefined> {
  for (let tries = 1, stat: Stats | undefined = found; ; tries++) {
    try {
      if (stat?.isFile()) return await ifThere(keepContent(file, store));
      if (!stat?.isSymbolicLink()) return undefined;
      const target = await ifThere(readlink(bytesOf(file), "buffer"));
      return target && { mode: "120000", id: await store.keepBytes(target) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The file has become a link, or the link a file.
      if (tries === TRIES || (code !== "ELOOP" && code !== "EINVAL")) throw error;
      stat = await ifThere(lstat(bytesOf(file)));
    }
  }
}

async function keepContent(file: string, store: Store): Promise<Kept | undefined> {
  const handle = await open(bytesOf(file), READ);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return undefined;
    return { mode: stat.mode & 0o100 ? "100755" : "100644", id: await store.keep(handle, stat.size) };
  } finally {
    await handle.close();
  }
}
