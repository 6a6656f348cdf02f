import { mkdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HeldFolder, removeTree } from "codexwright/internal/node";
import { fileError, WorkspaceError } from "./errors.ts";
import { holdInside, openRoot, partsBelow } from "./held.ts";
import { workspaceKey } from "./key.ts";

/** The folder of an issue. */
export interface WorkspaceFolder {
  /** The real path of the root. */
  readonly root: string;
  readonly key: string;
  readonly path: string;
}

/**
 * A folder in the root that has a file for each workspace that is not whole: its `after_create` has not succeeded yet,
 * or its removal has begun. No key begins with a dot.
 */
const UNFINISHED = ".unfinished";

/**
 * Creates the folder of an issue, or finds it. A folder whose creation or removal was not finished, for example because
 * our process was killed, is removed first.
 *
 * @param isReady false if a new folder is not ready before {@link markFinished}
 */
export async function openFolder(
  root: string,
  identifier: string,
  isReady: boolean,
): Promise<WorkspaceFolder & { readonly createdNow: boolean }> {
  const real = openRoot(root);
  const key = workspaceKey(identifier);
  const folder: WorkspaceFolder = { root: real, key, path: path.join(real, key) };
  if (isUnfinished(folder)) await discard(folder);
  const createdNow = inRoot(folder, (held) => !isThere(held, folder));
  if (createdNow) inRoot(folder, (held) => create(held, folder, isReady));
  checkFolder(folder);
  return { ...folder, createdNow };
}

/** Returns the folder of an earlier run by its recorded path. Throws if it cannot be the folder of this issue. */
export function recordedFolder(recorded: string, identifier: string): WorkspaceFolder {
  const root = path.dirname(recorded);
  const [key] = partsBelow(root, recorded);
  if (key !== workspaceKey(identifier))
    throw new WorkspaceError("workspace_outside", recorded, `is not the workspace of ${identifier}`);
  return { root, key, path: recorded };
}

/** Throws if the folder is missing, not a folder, or not inside of the root without links. */
export function checkFolder(folder: WorkspaceFolder): void {
  hold(folder).close();
}

/** Opens the folder. The caller must close it. */
export function hold(folder: WorkspaceFolder): HeldFolder {
  return holdInside(folder.root, folder.path);
}

/** From now on, the folder is kept. */
export function markFinished(folder: WorkspaceFolder): void {
  inRoot(folder, (root) => {
    const marks = root.folder(UNFINISHED);
    try {
      unlinkSync(marks.at(folder.key));
    } finally {
      marks.close();
    }
    try {
      rmdirSync(root.at(UNFINISHED));
    } catch {
      // Other workspaces are being created.
    }
  });
}

/** Removes a folder. If our process is killed meanwhile, {@link isUnfinished} says so about the rest. */
export async function discard(folder: WorkspaceFolder): Promise<void> {
  inRoot(folder, (root) => markUnfinished(root, folder));
  await removeTree(folder.path);
  markFinished(folder);
}

/** Returns whether the creation or the removal of the folder was begun and not finished. */
export function isUnfinished(folder: WorkspaceFolder): boolean {
  return inRoot(folder, (root) => root.look(`${UNFINISHED}/${folder.key}`) !== undefined);
}

function isThere(root: HeldFolder, { key, path: folder }: WorkspaceFolder): boolean {
  if (!root.look(key)) return false;
  // On a disk that ignores case, another issue may have this folder.
  if (root.names().some((name) => name.toString("latin1") === key)) return true;
  throw new WorkspaceError(
    "workspace_error",
    folder,
    "is the folder of an issue with other upper and lower case",
  );
}

function create(root: HeldFolder, folder: WorkspaceFolder, isReady: boolean): void {
  if (!isReady) markUnfinished(root, folder);
  mkdirSync(root.at(folder.key));
}

function markUnfinished(root: HeldFolder, { key }: WorkspaceFolder): void {
  mkdirSync(root.at(UNFINISHED), { recursive: true });
  const marks = root.folder(UNFINISHED);
  try {
    writeFileSync(marks.at(key), "");
  } finally {
    marks.close();
  }
}

function inRoot<T>(folder: WorkspaceFolder, act: (root: HeldFolder) => T): T {
  let root: HeldFolder | undefined;
  try {
    root = HeldFolder.open(folder.root);
    return act(root);
  } catch (error) {
    throw fileError(folder.path, "cannot be prepared", error);
  } finally {
    root?.close();
  }
}
