import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** The hash function for object names. */
export type ObjectFormat = "sha1" | "sha256";

/** The storage formats of a repository. */
export interface Formats {
  readonly objects: ObjectFormat;
  readonly refs: "files" | "reftable";
}

/**
 * Creates a git folder with our own configuration. Does not use `git init`, because it takes templates and defaults
 * from other places.
 */
export async function makeGitDir(dir: string, { objects, refs }: Formats): Promise<void> {
  await mkdir(path.join(dir, "objects", "info"), { recursive: true });
  await mkdir(path.join(dir, "refs"));
  await writeFile(path.join(dir, "HEAD"), "ref: refs/heads/none\n");
  const extensions = [
    ...(objects === "sha1" ? [] : [`\tobjectFormat = ${objects}\n`]),
    ...(refs === "files" ? [] : [`\trefStorage = ${refs}\n`]),
  ];
  const version = extensions.length === 0 ? 0 : 1;
  // Disable multi-pack indexes, because they can refer to packs in other places.
  const core = `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n\tmultiPackIndex = false\n`;
  const config = extensions.length === 0 ? core : `${core}[extensions]\n${extensions.join("")}`;
  await writeFile(path.join(dir, "config"), config);
}
