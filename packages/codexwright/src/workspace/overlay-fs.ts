import path from "node:path";
import { partsOf as anyPartsOf, type FileSystem } from "../agent/resources/file-system.ts";
import { FileNotFoundError } from "../agent/resources/memory-fs.ts";
import type { Snapshotable } from "../agent/resources/resource.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { checkArgument, text } from "../rpc/options/check.ts";
import { holding, type HeldFolder } from "../system/held-folder.ts";
import { limited } from "../system/limited.ts";
import {
  contentOf,
  filesBelow,
  Inside,
  overLink,
  put,
  removeEmpty,
  type Content,
  type Parts,
} from "./held-paths.ts";

/** A snapshot of an `overlayFs`. */
export interface OverlaySnapshot {
  /** The number of changes made before the snapshot. */
  readonly changes: number;
}

/** A folder of the host as a file system that can undo its own writes. */
export interface OverlayFs extends FileSystem, Snapshotable<OverlaySnapshot> {
  snapshot(): OverlaySnapshot;
  restore(snapshot: OverlaySnapshot): Promise<void>;
}

/** The content of a file before and after a change. Undefined means that the file does not exist. */
interface Change {
  readonly file: Parts;
  readonly before: Content | undefined;
  readonly after: Uint8Array | undefined;
  /** Folders that were created for this change, outermost first. */
  readonly folders: readonly Parts[];
}

/**
 * Opens a folder of the host for tools. Writes go to the disk immediately. A rollback restores only files that were
 * written through this object. It skips a file that another program has changed since then. Symbolic links are not
 * followed. On Linux, this holds even if a command replaces a folder with a link while the folder is in use.
 */
export function overlayFs(dir: string): OverlayFs {
  checkArgument("overlayFs()", "dir", dir, text);
  if (!path.isAbsolute(dir)) {
    throw new InvalidArgumentError(
      `the dir of overlayFs() must be an absolute path, but is ${JSON.stringify(dir)}`,
    );
  }
  return new Overlay(path.resolve(dir));
}

const SOME_MOMENTS = 64;

class Overlay implements OverlayFs {
  readonly #inside: Inside;
  readonly #changes: Change[] = [];
  /** Number of changes that are older than every live snapshot. The file contents before these changes are not kept. */
  #forgotten = 0;
  readonly #moments = new Set<WeakRef<OverlaySnapshot>>();
  /** If `#moments` has more entries than this, the entries of garbage-collected snapshots are removed. */
  #mostMoments = SOME_MOMENTS;
  /** Changes run one after another, because each change must first record the previous content. */
  #last: Promise<void> = Promise.resolve();

  constructor(dir: string) {
    this.#inside = new Inside(dir);
  }

  async read(file: string): Promise<Uint8Array> {
    const content = await limited(`reading ${JSON.stringify(file)}`, async () =>
      this.#content(partsOf(file)),
    );
    if (!content) throw new FileNotFoundError(file);
    return content.bytes;
  }

  async readText(file: string): Promise<string> {
    return new TextDecoder().decode(await this.read(file));
  }

  async write(file: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    await this.#inTurn(`writing ${JSON.stringify(file)}`, async () => {
      const parts = partsOf(file);
      if (parts.length === 0)
        throw new InvalidArgumentError("the path must name a file, not the root folder");
      await this.#change(parts, bytes);
    });
  }

  async remove(file: string): Promise<void> {
    await this.#inTurn(`removing ${JSON.stringify(file)}`, async () => {
      const parts = partsOf(file);
      for (const one of await this.#below(parts)) await this.#change(one, undefined);
      await this.#removeEmpty(parts);
    });
  }

  async exists(file: string): Promise<boolean> {
    return await limited(`looking for ${JSON.stringify(file)}`, async () => {
      const parts = partsOf(file);
      const found = await this.#inFolderOf(parts, async (folder) =>
        Promise.resolve(folder.look(last(parts))),
      );
      if (found?.isSymbolicLink()) throw overLink(parts);
      return found !== undefined;
    });
  }

  async list(folder = ""): Promise<readonly string[]> {
    const files = await limited(`listing ${JSON.stringify(folder)}`, async () =>
      this.#below(partsOf(folder)),
    );
    return files.map((file) => file.join("/")).toSorted();
  }

  snapshot(): OverlaySnapshot {
    const moment = Object.freeze({ changes: this.#forgotten + this.#changes.length });
    this.#moments.add(new WeakRef(moment));
    // Snapshots accumulate even if calls write nothing.
    if (this.#moments.size > this.#mostMoments) {
      this.#forget();
      this.#mostMoments = 2 * this.#moments.size + SOME_MOMENTS;
    }
    return moment;
  }

  async restore(moment: OverlaySnapshot): Promise<void> {
    await this.#inTurn("restoring files", async () => {
      if (moment.changes < this.#forgotten) {
        throw new InvalidArgumentError(
          "the earlier contents are no longer available: keep the snapshot object itself, not a copy of it",
        );
      }
      const problems: unknown[] = [];
      while (this.#forgotten + this.#changes.length > moment.changes) {
        const change = this.#changes.pop();
        // Continue after a failure, so that the other changes are undone.
        if (change) await this.#undo(change).catch((error: unknown) => problems.push(error));
      }
      if (problems.length > 0) throw problems[0];
    });
  }

  async #change(file: Parts, after: Uint8Array | undefined): Promise<void> {
    const before = await this.#content(file);
    if (!before && !after) return;
    const folders: Parts[] = [];
    try {
      await this.#put(file, after && { bytes: after, mode: before?.mode ?? 0o644 }, folders);
    } catch (error) {
      for (const folder of folders.toReversed()) await this.#removeEmpty(folder);
      throw error;
    }
    this.#changes.push({ file, before, after, folders });
    this.#forget();
  }

  #forget(): void {
    let oldest = this.#forgotten + this.#changes.length;
    for (const held of this.#moments) {
      const moment = held.deref();
      if (moment) oldest = Math.min(oldest, moment.changes);
      else this.#moments.delete(held);
    }
    this.#changes.splice(0, oldest - this.#forgotten);
    this.#forgotten = oldest;
  }

  /** Undoes a change, unless another program has changed the file or its folders since. */
  async #undo({ file, before, after, folders }: Change): Promise<void> {
    if (await this.#isAsLeft(file, after)) await this.#put(file, before, []);
    for (const folder of folders.toReversed()) await this.#removeEmpty(folder);
  }

  async #isAsLeft(file: Parts, after: Uint8Array | undefined): Promise<boolean> {
    try {
      const now = await this.#content(file);
      return after ? now !== undefined && Buffer.from(after).equals(now.bytes) : now === undefined;
    } catch {
      return false; // no longer a file
    }
  }

  async #content(file: Parts): Promise<Content | undefined> {
    return await this.#inFolderOf(file, async (folder) => contentOf(folder, file));
  }

  async #put(file: Parts, content: Content | undefined, made: Parts[]): Promise<void> {
    const writing = async (folder: HeldFolder): Promise<void> => put(folder, last(file), content);
    if (content) await holding(this.#inside.make(file.slice(0, -1), made), writing);
    else await this.#inFolderOf(file, writing);
  }

  /** The file itself, or all files in a folder and its subfolders. */
  async #below(file: Parts): Promise<Parts[]> {
    const folder = this.#inside.open(file);
    if (folder) return await holding(folder, async (it) => filesBelow(it, file));
    const found = await this.#inFolderOf(file, async (above) => Promise.resolve(above.look(last(file))));
    return found?.isFile() ? [file] : [];
  }

  async #removeEmpty(folder: Parts): Promise<void> {
    if (folder.length > 0) await this.#inFolderOf(folder, async (above) => removeEmpty(above, last(folder)));
  }

  /** Runs `work` with the folder that contains a file. Returns undefined if that folder does not exist. */
  async #inFolderOf<T>(file: Parts, work: (folder: HeldFolder) => Promise<T>): Promise<T | undefined> {
    const folder = this.#inside.open(file.slice(0, -1));
    return folder && (await holding(folder, work));
  }

  async #inTurn(what: string, work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(async () => limited(what, work));
    this.#last = turn.catch(() => {});
    await turn;
  }
}

/** The name of a file in its folder, or "." for the root. */
function last(parts: Parts): string {
  return parts.at(-1) ?? ".";
}

/** The longest file name on the host, in bytes. */
const MAX_NAME_BYTES = 255;

function partsOf(file: string): string[] {
  const parts = anyPartsOf(file);
  const long = parts.find((part) => Buffer.byteLength(part) > MAX_NAME_BYTES);
  if (long === undefined) return parts;
  throw new InvalidArgumentError(
    `the file name ${JSON.stringify(long.slice(0, 40))}… must have at most ${MAX_NAME_BYTES} bytes`,
  );
}
