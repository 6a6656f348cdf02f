import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { removeTree } from "codexwright/internal/node";

/**
 * The folder for temporary files of an issue's agent. Commands may write to the folder that TMPDIR names. They may not
 * write to the system's own folder, because it can hold the workspaces of other issues.
 *
 * The path is short because programs put sockets into the folder. It depends only on the issue, so the next run removes
 * the folder of a run that was killed.
 */
export function temporaryFolderOf(stateFolder: string): string {
  const name = createHash("sha256").update(stateFolder).digest("hex").slice(0, 12);
  return path.join(tmpdir(), `codexwright-${name}`);
}

/** Makes the folder new and empty, for this user only. Rejects if another user owns a folder with this name. */
export async function makeTemporaryFolder(folder: string): Promise<void> {
  await removeTree(folder);
  await mkdir(folder, { mode: 0o700 });
}
