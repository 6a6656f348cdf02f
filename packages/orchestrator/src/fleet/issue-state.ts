import path from "node:path";
import { removeTree } from "codexwright/internal/node";
import { temporaryFolderOf } from "../runner/temporary.ts";
import { workspaceKey } from "../workspace/key.ts";

/** The folder for the checkpoints and the stored thread of an issue. */
export function stateOf(stateFolder: string, identifier: string): string {
  return path.join(stateFolder, "state", workspaceKey(identifier));
}

/** Removes the temporary files of an issue's run that was killed. */
export async function removeTemporary(stateFolder: string, identifier: string): Promise<void> {
  await removeTree(temporaryFolderOf(stateOf(stateFolder, identifier)));
}
