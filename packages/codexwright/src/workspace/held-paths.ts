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

/** A path from a folder, part by part. */
export type Parts = readonly string[];

export interface Content {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** Folders that are listed are held open, so their depth is limited. */
const MAX_DEPTH = 128;

/** Nothing that took a file's place meanwhile is followed, waited for or made the terminal of this process. */
const READ = constants.O_RDONLY | NO_LINKS | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_LINKS;

/**
 * A folder of the host, in which paths are walked part by part from folders that are held open. No link is followed,
 * even if another process swaps a folder for a link meanwhile.
 */
export class Inside {
  /** The folder without links, as it was first met: a link that takes its place later is refused, too. */
  readonly #real: string;

  constructor(dir: string) {
    this.#real = realOf(dir);
  }

  /** Opens a folder; undefined if there is none. */
  open(parts: Parts): HeldFolder | undefined {
    let at = this.#root(parts);
    for (const part of parts) at &&= step(at, (above) => childOf(above, part, parts));
    return at;
  }

  /** Opens a folder, and makes it if there is none; `made` gets each folder that was made, the outermost first. */
  make(parts: Parts, made: Parts[]): HeldFolder {
    let at = this.#root(parts);
    if (!at) {
      const { root } = path.parse(this.#real);
      const names = this.#real.slice(root.length).split(path.sep);
      // Walked as well: a link may have taken the place of a folder above it.
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
        throw new InvalidArgumentError(`${JSON.stringify(part)} is not a folder and cannot hold files`);
    }
    if (!at) throw new InvalidArgumentError("the folder was removed meanwhile");
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

/** Opens the next folder of a walk, and closes the one above it. */
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

/** Opens a folder in another; undefined if there is none of that name. */
function childOf(above: HeldFolder, name: string, parts: Parts): HeldFolder | undefined {
  const child = ifThere(() => above.folder(name));
  if (!child && above.look(name)?.isSymbolicLink()) throw overLink(parts);
  return child;
}

/** What a file holds; undefined if there is none. */
export async function contentOf(folder: HeldFolder, parts: Parts): Promise<Content | undefined> {
  const name = parts.at(-1) ?? ".";
  const found = folder.look(name);
  if (!found) return undefined;
  if (found.isSymbolicLink()) throw overLink(parts);
  if (!found.isFile()) throw notAFile(name);
  const handle = await open(folder.at(name), READ).catch((error: unknown) => {
    // A link has taken its place since.
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw overLink(parts);
    throw error;
  });
  try {
    // Another file may have taken its place since.
    const opened = await handle.stat();
    if (!opened.isFile()) throw notAFile(name);
    return { bytes: new Uint8Array(await handle.readFile()), mode: opened.mode & 0o7777 };
  } finally {
    await handle.close();
  }
}

/** Puts a new file in its place, so that other names of the old one keep what they have. */
export async function put(folder: HeldFolder, name: string, content: Content | undefined): Promise<void> {
  if (!content) {
    ifThere(() => unlinkSync(folder.at(name)));
    return;
  }
  // Short: the name of the file may be as long as the system allows.
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

/** The files in a folder, and in those below it; links are left out. */
export async function filesBelow(
  folder: HeldFolder,
  parts: Parts,
  breath: Breath = new Breath(),
  depth = 0,
): Promise<Parts[]> {
  if (depth > MAX_DEPTH) throw new InvalidArgumentError(`folders are nested more than ${MAX_DEPTH} deep`);
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

/** Removes a folder that holds nothing but such folders. */
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
    // Something is in it, or it is not a folder: it stays.
  }
}

export function overLink(parts: Parts): WorkspaceSecurityError {
  return new WorkspaceSecurityError(parts.join("/"), "leads over a symbolic link, which is not followed");
}

function notAFile(name: string): InvalidArgumentError {
  return new InvalidArgumentError(`${JSON.stringify(name)} is not a file`);
}

/** A path without links; of one that is not there yet, the part that is there is resolved. */
function realOf(dir: string): string {
  return ifThere(() => realpathSync.native(dir)) ?? path.join(realOf(path.dirname(dir)), path.basename(dir));
}

/** False if something of that name is there. */
function makeFolder(folder: Buffer): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
