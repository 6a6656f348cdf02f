import {
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { Breath } from "../system/breath.ts";
import { HeldFolder, holding, ifThere, NO_LINKS } from "../system/held-folder.ts";
import { WorkspaceSecurityError } from "./errors.ts";

/** The components of a path, relative to a folder. */
export type Parts = readonly string[];

export interface Content {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** Maximum depth of a listing, because listing keeps each folder on the path open. */
const MAX_DEPTH = 128;

/**
 * Flags to open a file that may have been replaced in the meantime: they do not follow a link, do not wait for a pipe,
 * and do not let a terminal become our controlling terminal.
 */
const READ = constants.O_RDONLY | NO_LINKS | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINKS;

/**
 * A folder on the host. Paths in it are resolved step by step, and each folder on the way is held open. Links are never
 * followed, even if another process replaces a folder with a link in the meantime.
 */
export class Inside {
  /**
   * The real path of the folder at the time of construction. If a link replaces the folder later, that link is rejected
   * too.
   */
  readonly #real: string;

  constructor(dir: string) {
    this.#real = realOf(dir);
  }

  /** Opens a folder. Returns undefined if it does not exist. */
  open(parts: Parts): HeldFolder | undefined {
    let at = this.#root(parts);
    for (const part of parts) at &&= step(at, (above) => childOf(above, part, parts));
    return at;
  }

  /** Opens a folder, and creates it if necessary. Adds each created folder to `made`, outermost first. */
  make(parts: Parts, made: Parts[]): HeldFolder {
    let at = this.#root(parts);
    if (!at) {
      const { root } = path.parse(this.#real);
      const names = this.#real.slice(root.length).split(path.sep);
      // Create the folder step by step from the root, because a link may have replaced one of its parents.
      new Inside(root).make(names, []).close();
      at = this.#root(parts);
    }
    for (const [index, part] of parts.entries()) {
      at &&= step(at, (above) => {
        const there = childOf(above, part, parts);
        if (there) return there;
        if (makeFolder(above.at(part))) made.push(parts.slice(0, index + 1));
        return childOf(above, part, parts);
      });
      if (!at)
        throw new InvalidArgumentError(`${JSON.stringify(part)} is not a folder and cannot contain files`);
    }
    if (!at) throw new InvalidArgumentError("the folder was removed in the meantime");
    return at;
  }

  #root(parts: Parts): HeldFolder | undefined {
    const real = this.#real;
    const root = ifThere(() => HeldFolder.open(real));
    if (root?.isAt(real)) return root;
    root?.close();
    if (root || lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink()) throw overLink(parts);
    return undefined;
  }
}

/** Opens the next folder of a walk, and closes its parent. */
function step(
  above: HeldFolder,
  next: (above: HeldFolder) => HeldFolder | undefined,
): HeldFolder | undefined {
  try {
    return next(above);
  } finally {
    above.close();
  }
}

/** Opens a subfolder. Returns undefined if it does not exist. */
function childOf(above: HeldFolder, name: string, parts: Parts): HeldFolder | undefined {
  const child = ifThere(() => above.folder(name));
  if (!child && above.look(name)?.isSymbolicLink()) throw overLink(parts);
  return child;
}

/** Returns the content of a file, or undefined if it does not exist. */
export async function contentOf(folder: HeldFolder, parts: Parts): Promise<Content | undefined> {
  const name = parts.at(-1) ?? ".";
  const found = folder.look(name);
  if (!found) return undefined;
  if (found.isSymbolicLink()) throw overLink(parts);
  if (!found.isFile()) throw notAFile(name);
  const handle = await open(folder.at(name), READ).catch((error: unknown) => {
    // In the meantime, the file was replaced by a link.
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw overLink(parts);
    throw error;
  });
  try {
    // In the meantime, the file may have been replaced by another kind of file.
    const opened = await handle.stat();
    if (!opened.isFile()) throw notAFile(name);
    return { bytes: new Uint8Array(await handle.readFile()), mode: opened.mode & 0o7777 };
  } finally {
    await handle.close();
  }
}

/** Replaces the file with a new one, so that other hard links to the old file keep its content. */
export async function put(folder: HeldFolder, name: string, content: Content | undefined): Promise<void> {
  if (!content) {
    ifThere(() => unlinkSync(folder.at(name)));
    return;
  }
  // A short temporary name that does not include `name`, which may already be as long as the system allows.
  const fresh = folder.at(`.codexwright-${crypto.randomUUID().slice(0, 8)}`);
  const handle = await open(fresh, CREATE, 0o600);
  try {
    try {
      await handle.writeFile(content.bytes);
      fchmodSync(handle.fd, content.mode);
    } finally {
      await handle.close();
    }
    renameSync(fresh, folder.at(name));
  } catch (error) {
    ifThere(() => unlinkSync(fresh));
    throw error;
  }
}

/** All files in a folder and its subfolders, without links. */
export async function filesBelow(
  folder: HeldFolder,
  parts: Parts,
  breath: Breath = new Breath(),
  depth = 0,
): Promise<Parts[]> {
  if (depth > MAX_DEPTH)
    throw new InvalidArgumentError(`folders must be nested at most ${MAX_DEPTH} levels deep`);
  const found: Parts[] = [];
  for (const name of folder.names()) {
    await breath.step();
    const stat = folder.look(name);
    const below = [...parts, name.toString("utf8")];
    if (stat?.isFile()) found.push(below);
    if (!stat?.isDirectory()) continue;
    const inner = ifThere(() => folder.folder(name));
    if (!inner) continue;
    const files = await holding(inner, async (it) => filesBelow(it, below, breath, depth + 1));
    for (const file of files) found.push(file);
  }
  return found;
}

/** Removes a folder if it contains nothing but empty folders. */
export async function removeEmpty(
  above: HeldFolder,
  name: string | Buffer,
  breath: Breath = new Breath(),
  depth = 0,
): Promise<void> {
  if (depth > MAX_DEPTH) return;
  try {
    await holding(above.folder(name), async (folder) => {
      for (const inner of folder.names()) {
        await breath.step();
        if (folder.look(inner)?.isDirectory()) await removeEmpty(folder, inner, breath, depth + 1);
      }
    });
    rmdirSync(above.at(name));
  } catch {
    // Not empty, or not a folder: leave it.
  }
}

export function overLink(parts: Parts): WorkspaceSecurityError {
  return new WorkspaceSecurityError(
    parts.join("/"),
    "leads through a symbolic link, and links are not followed",
  );
}

function notAFile(name: string): InvalidArgumentError {
  return new InvalidArgumentError(`${JSON.stringify(name)} is not a file`);
}

/** Resolves links in a path. If the path does not exist yet, resolves the existing part. */
function realOf(dir: string): string {
  return ifThere(() => realpathSync.native(dir)) ?? path.join(realOf(path.dirname(dir)), path.basename(dir));
}

/** Returns false if the name already exists. */
function makeFolder(folder: Buffer): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
