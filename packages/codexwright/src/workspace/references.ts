import { lstat, mkdir, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { ifThere } from "./if-there.ts";
import { copyInside } from "./inside.ts";
import type { Repository } from "./repository.ts";
import { allowedSource, type AllowedRoots } from "./roots.ts";

/** How deep the folders of references are looked at; links could make them endless. */
const MOST_DEPTH = 50;

/**
 * Copies everything that names commits into a git folder of ours: `HEAD` and its like, branches, tags, and their
 * history if `logs` is set. Names that live in the configuration, such as `@{upstream}`, are not copied.
 *
 * Returns the git folder in which the names mean what they mean in the repository.
 */
export async function copyReferences(
  { gitDir, commonDir }: Repository,
  target: string,
  roots: AllowedRoots,
  logs: boolean,
): Promise<string> {
  await copyFrom(commonDir, target, roots, logs);
  if (gitDir === commonDir) return target;
  const linked = path.join(target, "worktrees", "source");
  await mkdir(linked, { recursive: true });
  await writeFile(path.join(linked, "commondir"), "../..\n");
  await copyFrom(gitDir, linked, roots, logs);
  return linked;
}

async function copyFrom(from: string, target: string, roots: AllowedRoots, logs: boolean): Promise<void> {
  const names = (await readdir(from)).filter(
    (name) => /^(?:(?:[A-Z_]+_)?HEAD|packed-refs|refs|reftable)$/.test(name) || (logs && name === "logs"),
  );
  for (const name of names) {
    // `makeGitDir` made stand-ins.
    await rm(path.join(target, name), { recursive: true, force: true });
    await copy(path.join(from, name), path.join(target, name), roots, 0);
  }
}

async function copy(file: string, target: string, roots: AllowedRoots, depth: number): Promise<void> {
  const found = await ifThere(lstat(file));
  if (found === undefined || depth > MOST_DEPTH) return;
  const link = found.isSymbolicLink() ? await readlink(file) : "";
  // Git once wrote symbolic references as links: from the git folder, not from where they stand.
  if (link.startsWith("refs/")) return await writeFile(target, `ref: ${link}\n`);
  const real = await ifThere(allowedSource(file, roots, true));
  if (real === undefined) return;
  if (!(await stat(real)).isDirectory()) return await ifThere(copyInside(real, target, roots));
  await mkdir(target);
  for (const name of await readdir(real)) {
    await copy(path.join(real, name), path.join(target, name), roots, depth + 1);
  }
}
