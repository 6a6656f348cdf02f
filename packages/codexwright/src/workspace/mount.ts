import path from "node:path";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { WorkspaceSecurityError } from "./errors.ts";
import * as is from "../rpc/options/check.ts";
import { needed, shape } from "../rpc/options/table.ts";

/** A file or folder of the host that is copied into a workspace. */
export interface Mount {
  /** A file or folder on the host, as an absolute path. */
  readonly from: string;
  /** The target, relative to the workspace folder. Default: the name of the source. */
  readonly to?: string | undefined;
  /** Globs of the files to copy, relative to the source folder. Default: all files. */
  readonly include?: readonly string[] | undefined;
  /**
   * Globs of files and folders to leave out. Takes precedence over `include`. If a folder matches, its whole content is
   * left out.
   */
  readonly exclude?: readonly string[] | undefined;
  readonly maxBytes?: number | undefined;
  /**
   * If true, copies the targets of symbolic links. If a link in a folder leads outside of that folder,
   * `Workspace.create` rejects with `workspace_security`. If false, links in a folder are skipped, and a mount that is
   * itself a link is rejected.
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

/** A mount with all defaults applied. */
export interface CheckedMount {
  readonly from: string;
  readonly to: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly maxBytes: number | undefined;
  readonly followSymlinks: boolean;
}

/** Validates a mount before anything is copied. */
export function checkedMount({
  from,
  to,
  include = [],
  exclude = [],
  maxBytes,
  followSymlinks = false,
}: Mount): CheckedMount {
  if (!path.isAbsolute(from)) {
    throw new InvalidArgumentError(`the mount ${JSON.stringify(from)} must be an absolute path`);
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
    throw new WorkspaceSecurityError(to, "leads outside of the workspace folder");
  }
  return normal === "." ? "" : normal;
}
