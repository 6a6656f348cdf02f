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

/** Finds the rollout files of a home. Does not follow symbolic links below `sessions` and `archived_sessions`. */
export async function rolloutFiles(home: string): Promise<RolloutFile[]> {
  const found = await Promise.all([
    walk(path.join(home, "sessions"), DEPTH, false),
    walk(path.join(home, "archived_sessions"), DEPTH, true),
  ]);
  return found.flat();
}

async function walk(folder: string, depth: number, archived: boolean): Promise<RolloutFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EACCES") return [];
    throw error;
  });
  const found = await Promise.all(
    entries.map(async (entry): Promise<RolloutFile[]> => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? await walk(file, depth - 1, archived) : [];
      const [, id, branch] = (entry.isFile() && NAME.exec(entry.name)) || [];
      if (id === undefined) return [];
      return [{ path: file, id, branch: branch ?? null, key: branch ?? id, archived }];
    }),
  );
  return found.flat();
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
