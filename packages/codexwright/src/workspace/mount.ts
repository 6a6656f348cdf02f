import path from "node:path";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { WorkspaceSecurityError } from "./errors.ts";
import * as is from "../rpc/options/check.ts";
import { needed, shape } from "../rpc/options/table.ts";

/** Something of the host that is copied into a workspace. */
export interface Mount {
  /** A file or folder of the host: an absolute path. */
  readonly from: string;
  /** Where it goes, from the workspace's folder; its own name unless given. */
  readonly to?: string | undefined;
  /** Which files of a folder: globs over paths from it. All unless given. */
  readonly include?: readonly string[] | undefined;
  /** Which not: stronger than `include`, and a folder that matches is left out with everything in it. */
  readonly exclude?: readonly string[] | undefined;
  readonly maxBytes?: number | undefined;
  /**
   * Copies what symbolic links lead to. Links in a folder must not lead out of it: that is refused. Without it, links in
   * a folder are skipped, and a mount that is one itself is refused.
   */
  readonly followSymlinks?: boolean | undefined;
}

/** A limit in bytes. */
export const BYTES: is.Check<number> = is.integerOrInfinity(0);

export const MOUNT: is.Check<Mount> = shape<Mount>({
  from: needed(is.text),
  to: is.text,
  include: is.listOf(is.text),
  exclude: is.listOf(is.text),
  maxBytes: BYTES,
  followSymlinks: is.flag,
});

/** A mount with nothing left open. */
export interface CheckedMount {
  readonly from: string;
  readonly to: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxBytes: number | undefined;
  readonly followSymlinks: boolean;
}

/** Refuses a mount that could not be, before anything is touched. */
export function checkedMount({
  from,
  to,
  include = [],
  exclude = [],
  maxBytes,
  followSymlinks = false,
}: Mount): CheckedMount {
  if (!path.isAbsolute(from)) {
    throw new InvalidArgumentError(`the mount ${JSON.stringify(from)} is not an absolute path`);
  }
  const source = path.resolve(from);
  return {
    from: source,
    to: target(to ?? path.basename(source)),
    include,
    exclude,
    maxBytes,
    followSymlinks,
  };
}

function target(to: string): string {
  const normal = path.posix.normalize(to.replaceAll("\\", "/")).replace(/\/+$/, "");
  if (to.includes("\0") || path.isAbsolute(to) || /^[a-z]:/i.test(to) || normal.split("/").includes("..")) {
    throw new WorkspaceSecurityError(to, "escapes the workspace's folder");
  }
  return normal === "." ? "" : normal;
}
