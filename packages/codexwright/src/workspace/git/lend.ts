import { removeTree } from "../../system/remove-tree.ts";
import { formatsOf } from "./formats.ts";
import { makeGitDir, type Formats } from "./git-dir.ts";
import { lendObjects, objectFolders } from "./object-folders.ts";
import { copyReferences } from "./references.ts";
import type { Repository } from "./repository.ts";
import type { AllowedRoots } from "../roots.ts";

/** A git folder of ours that has everything of a repository but its configuration. */
export interface Lent {
  readonly formats: Formats;
  /** Where the objects are. */
  readonly folders: Awaited<ReturnType<typeof objectFolders>>;
  /** The git folder in which names mean what they mean in the repository: ours, or one inside it. */
  readonly names: string;
}

/**
 * Makes a git folder to which the objects of a repository are lent, and into which its references are copied.
 *
 * @param gitDir the folder to make
 * @param logs whether the history of the references is copied, too
 * @param check called with a git folder of ours before anything of the repository is read
 */
export async function lendRepository(
  repository: Repository,
  roots: AllowedRoots,
  gitDir: string,
  logs: boolean,
  check: (gitDir: string) => Promise<void> = async () => {},
): Promise<Lent> {
  // Which formats it must have is known only after git has read a configuration, for which it needs a git folder.
  await makeGitDir(gitDir, { objects: "sha1", refs: "files" });
  await check(gitDir);
  const formats = await formatsOf(repository.commonDir, roots, gitDir);
  await removeTree(gitDir);
  await makeGitDir(gitDir, formats);
  const folders = await objectFolders(repository.commonDir, roots);
  await lendObjects(gitDir, folders);
  return { formats, folders, names: await copyReferences(repository, gitDir, roots, logs) };
}
