import type { Dirent } from "node:fs";
import { mkdir, lstat, readdir, realpath, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { WorkspaceSecurityError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { readInside } from "../inside.ts";
import { allowedSource, type AllowedRoots } from "../roots.ts";

/** One folder with objects. Maps the name of each subfolder (`pack`, or a folder of loose objects) to its real path. */
type ObjectFolder = ReadonlyMap<string, string>;

/** Maximum number of folders: more than any sensible chain of alternates has. */
const MOST_FOLDERS = 100;

/**
 * Returns all folders with objects of a repository. That includes folders that the repository borrows from others
 * (`objects/info/alternates`).
 *
 * Checks that these folders, and everything in them that git may open, are regular files and folders inside the roots.
 */
export async function objectFolders(
  commonDir: string,
  roots: AllowedRoots,
): Promise<readonly ObjectFolder[]> {
  const places = [await allowedSource(path.join(commonDir, "objects"), roots, true)];
  const folders: ObjectFolder[] = [];
  for (const place of places) {
    if (folders.length === MOST_FOLDERS) throw tooMany(commonDir);
    folders.push(await objectFolder(place, roots));
    for (const alternate of await alternatesOf(place, roots)) {
      // Git ignores an alternate that does not exist.
      if (!(await ifThere(lstat(alternate)))) continue;
      const real = await allowedSource(alternate, roots, true);
      if (!places.includes(real)) places.push(real);
    }
  }
  return folders;
}

function tooMany(place: string): WorkspaceSecurityError {
  return new WorkspaceSecurityError(place, `must borrow objects from at most ${MOST_FOLDERS} folders`);
}

async function objectFolder(place: string, roots: AllowedRoots): Promise<ObjectFolder> {
  const names = (await readdir(place)).filter((name) => /^(?:pack|[0-9a-f]{2})$/.test(name));
  const inner = new Map<string, string>();
  for (const name of names.toSorted()) {
    const real = await ifThere(allowedSource(path.join(place, name), roots, true));
    if (real === undefined) continue;
    for (const entry of (await ifThere(readdir(real, { withFileTypes: true }))) ?? []) {
      await checkEntry(path.join(real, entry.name), entry, roots);
    }
    inner.set(name, real);
  }
  return inner;
}

async function checkEntry(file: string, entry: Dirent, roots: AllowedRoots): Promise<void> {
  if (entry.isFile() || entry.isDirectory()) return;
  if (entry.isSymbolicLink()) {
    const real = await ifThere(allowedSource(file, roots, true));
    if (real === undefined || (await stat(real)).isFile()) return;
  }
  // Git would block on a pipe.
  throw new WorkspaceSecurityError(file, "is not a regular file");
}

async function alternatesOf(place: string, roots: AllowedRoots): Promise<readonly string[]> {
  const text = await ifThere(readInside(path.join(place, "info", "alternates"), roots));
  const lines = (text ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length > MOST_FOLDERS) throw tooMany(place);
  return lines.map((line) => path.resolve(place, unquoted(line)));
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Decodes a path that git quoted, with escapes such as `\n` and `\303`. */
function unquoted(line: string): string {
  const inner = /^"(.*)"$/s.exec(line)?.[1];
  if (inner === undefined) return line;
  const bytes = Buffer.from(inner).toString("latin1");
  const plain = bytes.replaceAll(/\\([0-3][0-7]{2}|.)/gs, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  );
  return Buffer.from(plain, "latin1").toString("utf8");
}

/**
 * Makes objects available in a git folder that `makeGitDir` created. The git folder gets links to the checked folders.
 * So git does not read the repository's lists of alternates again; they may have changed since the check.
 */
export async function lendObjects(gitDir: string, folders: readonly ObjectFolder[]): Promise<void> {
  for (const [n, folder] of folders.entries()) {
    const dir = path.join(gitDir, `objects-${n}`);
    await mkdir(dir);
    for (const [name, place] of folder) await symlink(place, path.join(dir, name), "junction");
  }
  const alternates = folders.map((_, n) => `../objects-${n}\n`).join("");
  await writeFile(path.join(gitDir, "objects", "info", "alternates"), alternates);
}

/** Rejects if a borrowed folder has been replaced by a link since it was checked. */
export async function checkLent(folders: readonly ObjectFolder[]): Promise<void> {
  for (const place of folders.flatMap((folder) => [...folder.values()])) {
    const real = await ifThere(realpath(place));
    if (real !== undefined && real !== place) {
      throw new WorkspaceSecurityError(place, "was replaced by a symbolic link while it was being read");
    }
  }
}
