import { accessSync, constants, existsSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** A program that may be used to start a sandbox. */
export interface Candidate {
  /** The real path. */
  readonly file: string;
  /** Whether only another user can change it, so that it is safe even in a writable root. */
  readonly isForeign: boolean;
}

/**
 * Returns the bubblewrap programs of this machine: those in absolute folders of PATH, then the one in Codex's package.
 * A program that other users can change is left out.
 */
export function findBwrap(): readonly Candidate[] {
  const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => path.isAbsolute(folder));
  const files = [...folders.map((folder) => path.join(folder, "bwrap")), ...inCodex()];
  const candidates = files.map(judge).filter((each) => each !== undefined);
  return candidates.filter(({ file }, index) => candidates.findIndex((each) => each.file === file) === index);
}

/** Returns a program that is safe to run, or `undefined`. */
export function judge(named: string): Candidate | undefined {
  try {
    const file = realpathSync(named);
    accessSync(file, constants.X_OK);
    if (!statSync(file).isFile()) return undefined;
    const chains = [...upFrom(file), ...upFrom(path.resolve(named))];
    if (!chains.every(isTrusted)) return undefined;
    return { file, isForeign: process.getuid?.() !== 0 && chains.every(isForeign) };
  } catch {
    return undefined;
  }
}

/**
 * Only this user and root may change it. In a folder with the sticky bit, such as /tmp, other users can add entries, but
 * they cannot replace those of this user and root.
 */
function isTrusted(file: string): boolean {
  const stats = lstatSync(file);
  const { uid, gid, mode } = stats;
  if (uid !== 0 && uid !== process.getuid?.()) return false;
  // The mode of a link means nothing, and that of a sticky folder concerns only new entries.
  if (stats.isSymbolicLink() || (stats.isDirectory() && (mode & 0o1000) !== 0)) return true;
  return (mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === 0);
}

function isForeign(file: string): boolean {
  if (statSync(file).uid === process.getuid?.()) return false;
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

function upFrom(file: string): string[] {
  const paths = [file];
  for (let at = file; at !== path.dirname(at); at = path.dirname(at)) paths.push(path.dirname(at));
  return paths;
}

/** Codex's package for this machine has its own bubblewrap. */
function inCodex(): string[] {
  const require = createRequire(import.meta.url);
  const name = `@openai/codex-linux-${process.arch}`;
  return (require.resolve.paths(name) ?? []).flatMap((folder) => {
    const vendor = path.join(folder, name, "vendor");
    if (!existsSync(vendor)) return [];
    return readdirSync(vendor).map((target) => path.join(vendor, target, "codex-resources/bwrap"));
  });
}
