import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** Which hash names the objects of a repository. */
export type ObjectFormat = "sha1" | "sha256";

/** How a repository keeps its data. */
export interface Formats {
  readonly objects: ObjectFormat;
  readonly refs: "files" | "reftable";
}

/**
 * Makes a git folder with a configuration of our own. Written by hand, because `git init` takes templates and defaults
 * from elsewhere.
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
  // An index of packs can name packs that are elsewhere.
  const core = `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n\tmultiPackIndex = false\n`;
  const config = extensions.length === 0 ? core : `${core}[extensions]\n${extensions.join("")}`;
  await writeFile(path.join(dir, "config"), config);
}
