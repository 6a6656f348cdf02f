import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

/** A rollout file, as its name describes it. */
export interface RolloutFile {
  readonly path: string;
  readonly id: string;
  /** The suffix of a truncated history. */
  readonly branch: string | null;
  /** The name by which other files refer to this one. */
  readonly key: string;
  readonly archived: boolean;
}

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const NAME = new RegExp(`^rollout-[0-9T:.-]{1,40}?-(${UUID})(?:_(${UUID}))?\\.jsonl$`);
/** `sessions/YYYY/MM/DD`. */
const DEPTH = 3;

/** Whether a text can be the id of a thread. Only such texts become part of a path. */
export function isThreadId(id: string): boolean {
  return new RegExp(`^${UUID}$`).test(id);
}

/** A folder that was changed more recently may be changed again without a new time. */
const SETTLED_MS = 2_000;

interface Folder {
  readonly mtimeMs: number;
  readonly folders: readonly string[];
  readonly files: readonly RolloutFile[];
}

/**
 * Finds the rollout files of a home. Does not follow symbolic links below `sessions` and `archived_sessions`. Folders
 * that have not changed are not read again.
 */
export class RolloutFolders {
  readonly #home: string;
  readonly #known = new Map<string, Folder>();

  constructor(home: string) {
    this.#home = home;
  }

  async files(): Promise<RolloutFile[]> {
    const found: RolloutFile[] = [];
    await this.#walk(path.join(this.#home, "sessions"), DEPTH, false, found);
    await this.#walk(path.join(this.#home, "archived_sessions"), DEPTH, true, found);
    return found;
  }

  async #walk(folder: string, depth: number, archived: boolean, found: RolloutFile[]): Promise<void> {
    const { folders, files } = await this.#read(folder, archived);
    for (const file of files) found.push(file);
    if (depth > 0) for (const inner of folders) await this.#walk(inner, depth - 1, archived, found);
  }

  async #read(folder: string, archived: boolean): Promise<Folder> {
    const now = Date.now();
    const mtimeMs = timeOf(folder);
    const known = this.#known.get(folder);
    if (known && known.mtimeMs === mtimeMs) return known;
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EACCES") return [];
      throw error;
    });
    const files = entries.flatMap((entry): RolloutFile[] => {
      const [, id, branch] = (entry.isFile() && NAME.exec(entry.name)) || [];
      if (id === undefined) return [];
      const file = path.join(folder, entry.name);
      return [{ path: file, id, branch: branch ?? null, key: branch ?? id, archived }];
    });
    const folders = entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(folder, entry.name));
    const read = { mtimeMs: mtimeMs ?? 0, folders, files };
    if (mtimeMs !== undefined && now - mtimeMs > SETTLED_MS) this.#known.set(folder, read);
    else this.#known.delete(folder);
    return read;
  }
}

/** The time of the last change, or `undefined` if the folder is missing or cannot be looked at. */
function timeOf(folder: string): number | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

/** The current file of each thread. A truncated history replaces those before it. */
export function currentFiles(files: readonly RolloutFile[]): Map<string, RolloutFile> {
  const current = new Map<string, RolloutFile>();
  for (const file of files) {
    const other = current.get(file.id);
    // The suffixes are UUIDs that sort by time.
    if (!other || (other.branch ?? "") < (file.branch ?? "")) current.set(file.id, file);
  }
  return current;
}
