import { removeTree } from "../../system/remove-tree.ts";
import { formatsOf } from "./formats.ts";
import { makeGitDir, type Formats } from "./git-dir.ts";
import { lendObjects, objectFolders } from "./object-folders.ts";
import { copyReferences } from "./references.ts";
import type { Repository } from "./repository.ts";
import type { AllowedRoots } from "../roots.ts";

/** A git folder that we created. It has everything of a repository except its configuration. */
export interface Lent {
  readonly formats: Formats;
  /** The folders that contain the objects. */
  readonly folders: Awaited<ReturnType<typeof objectFolders>>;
  /** The git folder in which to resolve revision names: the created one, or one inside it. */
  readonly names: string;
}

/**
 * Creates a git folder that links to the objects of a repository and has copies of its references.
 *
 * @param gitDir the folder to create
 * @param logs if true, copies the history of the references too
 * @param check called with a temporary git folder before anything is read from the repository
 */
export async function lendRepository(
  repository: Repository,
  roots: AllowedRoots,
  gitDir: string,
  logs: boolean,
  check: (gitDir: string) => Promise<void> = async () => {},
): Promise<Lent> {
  // The formats are known only after git has parsed the configuration. To parse it, git needs this temporary git
  // folder.
  await makeGitDir(gitDir, { objects: "sha1", refs: "files" });
  await check(gitDir);
  const formats = await formatsOf(repository.commonDir, roots, gitDir);
  await removeTree(gitDir);
  await makeGitDir(gitDir, formats);
  const folders = await objectFolders(repository.commonDir, roots);
  await lendObjects(gitDir, folders);
  return { formats, folders, names: await copyReferences(repository, gitDir, roots, logs) };
}
