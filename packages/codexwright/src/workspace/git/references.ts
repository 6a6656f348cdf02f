import { lstat, mkdir, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { WorkspaceSecurityError } from "../errors.ts";
import { ifThere } from "../if-there.ts";
import { copyInside } from "../inside.ts";
import type { Repository } from "./repository.ts";
import { allowedSource, type AllowedRoots } from "../roots.ts";

/** Maximum total size of the references: larger than in any real repository. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * Copies everything that names commits into a git folder that `makeGitDir` created: `HEAD` and similar files, branches,
 * tags and, if `logs` is set, their history. Names that depend on the configuration, such as `@{upstream}`, are not
 * available.
 *
 * Returns the git folder in which to resolve the names.
 */
export async function copyReferences(
  { gitDir, commonDir }: Repository,
  target: string,
  roots: AllowedRoots,
  logs: boolean,
): Promise<string> {
  const copier = new Copier(roots, logs);
  await copier.copyFrom(commonDir, target);
  if (gitDir === commonDir) return target;
  const linked = path.join(target, "worktrees", "source");
  await mkdir(linked, { recursive: true });
  await writeFile(path.join(linked, "commondir"), "../..\n");
  await copier.copyFrom(gitDir, linked);
  return linked;
}

class Copier {
  readonly #roots: AllowedRoots;
  readonly #logs: boolean;
  /**
   * Folders that were already copied. Each folder is copied once, because a few links could lead to the same folder by
   * any number of paths.
   */
  readonly #folders = new Set<string>();
  #left = MOST_BYTES;

  constructor(roots: AllowedRoots, logs: boolean) {
    this.#roots = roots;
    this.#logs = logs;
  }

  async copyFrom(from: string, target: string): Promise<void> {
    const names = (await readdir(from)).filter(
      (name) =>
        /^(?:(?:[A-Z_]+_)?HEAD|packed-refs|refs|reftable)$/.test(name) || (this.#logs && name === "logs"),
    );
    // Copy `refs` before `packed-refs`, because git moves references from `refs` to `packed-refs`, possibly at this
    // moment.
    for (const name of names.toSorted().toReversed()) {
      // Replace the placeholders that `makeGitDir` created.
      await rm(path.join(target, name), { recursive: true, force: true });
      await this.#copy(path.join(from, name), path.join(target, name));
    }
  }

  async #copy(file: string, target: string): Promise<void> {
    const found = await ifThere(lstat(file));
    if (found === undefined) return;
    const link = found.isSymbolicLink() ? await readlink(file) : "";
    // Old versions of git wrote symbolic references as links. The targets of these links are relative to the git
    // folder, not to the link.
    if (link.startsWith("refs/")) return await writeFile(target, `ref: ${link}\n`);
    const real = await ifThere(allowedSource(file, this.#roots, true));
    if (real === undefined) return;
    if (!(await stat(real)).isDirectory()) {
      this.#left -= (await ifThere(copyInside(real, target, this.#roots, this.#left))) ?? 0;
      return;
    }
    if (this.#folders.has(real)) {
      throw new WorkspaceSecurityError(
        file,
        "leads to a folder of references that was already reached by another path",
      );
    }
    this.#folders.add(real);
    await mkdir(target);
    for (const name of await readdir(real)) {
      await this.#copy(path.join(real, name), path.join(target, name));
    }
  }
}
