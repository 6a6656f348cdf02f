import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * Returns spawn options for a user other than root. Returns undefined if that user cannot run this runtime, read the
 * file or write to the temporary folder: each may be in a folder that only root may enter.
 */
export function otherUser(file: string): { readonly uid?: number; readonly gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const probe = `
    const { accessSync, constants } = require("node:fs");
    accessSync(${JSON.stringify(file)});
    accessSync(${JSON.stringify(tmpdir())}, constants.W_OK);
  `;
  return spawnSync(process.execPath, ["-e", probe], { ...NOBODY, cwd: "/" }).status === 0
    ? NOBODY
    : undefined;
}
