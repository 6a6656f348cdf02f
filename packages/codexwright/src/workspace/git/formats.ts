import { lstat } from "node:fs/promises";
import path from "node:path";
import { GitFailedError } from "../errors.ts";
import { git } from "./git.ts";
import type { Formats } from "./git-dir.ts";
import { ifThere } from "../if-there.ts";
import { readInside } from "../inside.ts";
import type { AllowedRoots } from "../roots.ts";

/**
 * Returns the formats that a repository's configuration names. These are the only settings that we read from it. Git
 * parses the text of the configuration from stdin, without includes, and applies none of the settings.
 */
export async function formatsOf(commonDir: string, roots: AllowedRoots, gitDir: string): Promise<Formats> {
  const file = path.join(commonDir, "config");
  const input = (await ifThere(lstat(file))) ? await readInside(file, roots) : "";
  const listed = await git(["config", "--file", "-", "--no-includes", "--null", "--list"], {
    gitDir,
    cwd: gitDir,
    input,
  });
  // A sequence of `key LF value NUL`. The last value of a key counts.
  const settings = new Map(
    listed
      .toString("utf8")
      .split("\0")
      .map((line) => [line.slice(0, line.indexOf("\n")), line.slice(line.indexOf("\n") + 1)] as const),
  );
  const objects = settings.get("extensions.objectformat")?.toLowerCase() ?? "sha1";
  const refs = settings.get("extensions.refstorage")?.toLowerCase() ?? "files";
  if ((objects === "sha1" || objects === "sha256") && (refs === "files" || refs === "reftable")) {
    return { objects, refs };
  }
  throw new GitFailedError(
    "worktree",
    `the repository format (objects ${objects}, refs ${refs}) is not supported`,
  );
}
