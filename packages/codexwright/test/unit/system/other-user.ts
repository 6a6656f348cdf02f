import { spawnSync } from "node:child_process";

const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * A user who is not root, as options of a spawn. Undefined if that user cannot run this runtime or read the file: both
 * may be in the home of root.
 */
export function otherUser(file: string): { readonly uid?: number; readonly gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const probe = `require("node:fs").accessSync(${JSON.stringify(file)})`;
  return spawnSync(process.execPath, ["-e", probe], { ...NOBODY, cwd: "/" }).status === 0
    ? NOBODY
    : undefined;
}
