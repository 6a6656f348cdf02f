import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { git, NO_GIT_DIR } from "../git/git.ts";
import { changedPaths, restore, type Snapshot } from "./snapshot.ts";
import type { Store } from "./store.ts";

const OPTIONS = [
  "--no-index",
  "--no-prefix",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--full-index",
];

/**
 * Returns the changes between two snapshots as a patch. Git compares two folders that contain the changed files. There
 * is no repository, so there is no configuration that a command could have changed.
 *
 * @param dir where the two temporary folders are created
 */
export async function patchOf(from: Snapshot, to: Snapshot, store: Store, dir: string): Promise<string> {
  const changed = changedPaths(from, to);
  if (changed.length === 0) return "";
  const cwd = await mkdtemp(path.join(dir, "diff-"));
  try {
    for (const [name, snapshot] of [
      ["a", from],
      ["b", to],
    ] as const) {
      await mkdir(path.join(cwd, name));
      const root = Buffer.from(path.join(cwd, name)).toString("latin1");
      for (const file of changed) {
        const kept = snapshot.get(file);
        if (kept) await restore(root, file, kept, store);
      }
    }
    const args = ["-c", "core.quotePath=false", "diff", ...OPTIONS, "a", "b"];
    const patch = await git(args, { gitDir: NO_GIT_DIR, cwd, exitCodes: [0, 1] });
    return patch.toString("utf8").replaceAll(/^diff --git (.*)$/gm, header);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** If a file exists on one side only, git writes the name of that side twice. */
function header(line: string, names: string): string {
  const half = (names.length - 1) / 2;
  const name = names.slice(0, half);
  if (name !== names.slice(half + 1)) return line;
  return `diff --git ${name.replace(/^("?)b\//, "$1a/")} ${name.replace(/^("?)a\//, "$1b/")}`;
}
