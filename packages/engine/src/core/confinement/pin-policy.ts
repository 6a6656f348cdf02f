import type { ResolvedPolicy } from "../ports.ts";
import { folderOf, isAbsolute, isWithin, join, normal } from "./paths.ts";
import { SandboxError } from "./sandbox-error.ts";

/** Looks at the paths of a disk. It does not follow a link at the end of the path. */
export interface Disk {
  /** Returns the kind of a path, or `undefined` if nothing is there. It throws if it cannot tell. */
  kind(file: string): "folder" | "file" | "other" | { readonly link: string } | undefined;
  /** Returns the first 4 KiB of a regular file, or `undefined` if it cannot be read. */
  head(file: string): string | undefined;
}

/** A policy whose paths have no links. */
export interface PinnedPolicy {
  /** The real paths of the writable roots that exist. */
  readonly roots: readonly string[];
  /** The real paths that are read-only in a root. */
  readonly readOnly: readonly string[];
  /** The real paths that are never writable, except in a root in one of `exceptions`. */
  readonly never: readonly string[];
  readonly exceptions: readonly string[];
  readonly network: boolean;
}

const MOST_LINKS = 40;

/**
 * Resolves the links of a policy, and adds the git folders that a `.git` file names.
 *
 * @throws SandboxError if a root or a protected path leads through a link that a command could replace
 */
export function pinPolicy(policy: ResolvedPolicy, disk: Disk): PinnedPolicy {
  const real = (file: string): string => follow(file, disk).path;
  const never = policy.neverWritable.map(real);
  const exceptions = policy.exceptions.map(real);
  const isNever = (root: string): boolean => blocks(root, never, exceptions);
  // Each root is followed once: a command could exchange it for a link, and back, between two looks.
  const named = policy.writableRoots.map((root) => follow(root, disk));
  const granted = policy.grantedRoots.filter((root) => real(root) === root);
  const roots = unique([...named.map(({ path }) => path), ...granted]).filter(
    (root) => disk.kind(root) !== undefined && !isNever(root),
  );
  const lost = policy.grantedRoots.filter(
    (root) => !granted.includes(root) && !policy.writableRoots.includes(root),
  );
  const protectedPaths = policy.readOnlyPaths.filter((file) => !lost.includes(folderOf(file)));
  const gitFolders = protectedPaths.flatMap((file) => gitFoldersOf(file, disk));
  // An explicit root stays writable, unless it reaches the path by a link.
  const explicit = new Set([...policy.writableRoots, ...granted]);
  const readOnly = [...protectedPaths, ...gitFolders].filter((file) => !explicit.has(normal(file)));
  const pinned: PinnedPolicy = {
    roots,
    readOnly: unique(readOnly.map(real)).filter((file) => isBelowRoot(file, roots)),
    never: unique(never),
    exceptions,
    network: policy.network,
  };
  const guarded = [...readOnly, ...policy.neverWritable].map((file) => follow(file, disk));
  for (const each of [...named, ...guarded]) refuseLinks(each, pinned);
  return pinned;
}

/** Whether a command of this policy may write to a path. The path must have no links and no `..`. */
export function canWrite({ roots, readOnly, never, exceptions }: PinnedPolicy, file: string): boolean {
  const root = longest(roots, file);
  if (root === undefined) return false;
  const covered = longest(readOnly, file);
  if (covered !== undefined && covered.length >= root.length) return false;
  return !blocks(file, never, exceptions, root);
}

/** Resolves all links of a path. Parts that do not exist stay as they are. */
export function realPath(file: string, disk: Disk): string {
  return follow(file, disk).path;
}

function blocks(
  file: string,
  never: readonly string[],
  exceptions: readonly string[],
  root: string = file,
): boolean {
  const hard = longest(never, file);
  if (hard === undefined) return false;
  return !exceptions.some((each) => isWithin(each, hard) && each !== root && isWithin(root, each));
}

function longest(folders: readonly string[], file: string): string | undefined {
  return folders
    .filter((folder) => isWithin(file, folder))
    .toSorted((a, b) => b.length - a.length)
    .at(0);
}

function isBelowRoot(file: string, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(file, root));
}

/**
 * A command that replaces a link in a writable folder would replace the file that the policy protects, or choose what a
 * root is.
 */
function refuseLinks({ links }: Followed, pinned: PinnedPolicy): void {
  const link = links.find((each) => canWrite(pinned, each));
  if (link === undefined) return;
  throw new SandboxError(
    `${link} is a symbolic link in a writable folder, so a command could change where it leads. Replace it with a file or a folder.`,
  );
}

/**
 * Returns the folders that hold a repository whose `.git` is a file: its own, and the one that it shares. The paths are not
 * normal: after a link, `..` is the folder above the one that the link leads to.
 */
function gitFoldersOf(file: string, disk: Disk): string[] {
  if (!file.endsWith("/.git") || disk.kind(realPath(file, disk)) !== "file") return [];
  const named = /^gitdir: *([^\r\n]+)/.exec(disk.head(realPath(file, disk)) ?? "")?.[1];
  if (named === undefined) return [];
  const folder = isAbsolute(named) ? named : `${folderOf(file)}/${named}`;
  const common = disk.head(join(realPath(folder, disk), "commondir"))?.trim();
  if (!common) return [folder];
  return [folder, isAbsolute(common) ? common : `${folder}/${common}`];
}

/** A real path, and the places of the links on the way. */
interface Followed {
  readonly path: string;
  readonly links: readonly string[];
}

function follow(file: string, disk: Disk): Followed {
  const links: string[] = [];
  const rest = file.split("/").toReversed();
  let at = "/";
  while (rest.length > 0) {
    const part = rest.pop();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      at = folderOf(at);
      continue;
    }
    const next = join(at, part);
    const kind = disk.kind(next);
    if (typeof kind !== "object") {
      at = next;
      continue;
    }
    links.push(next);
    if (links.length > MOST_LINKS) throw new SandboxError(`${file} has too many symbolic links.`);
    if (isAbsolute(kind.link)) at = "/";
    rest.push(...kind.link.split("/").toReversed());
  }
  return { path: at, links };
}

function unique(files: readonly string[]): string[] {
  return [...new Set(files)];
}
