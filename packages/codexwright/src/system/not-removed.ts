import { CodexError } from "../rpc/errors.ts";

/** The maximum number of paths that an error lists, and the maximum length of each. */
const MOST_PATHS = 100;
const MOST_CHARACTERS = 1_024;

/** A folder could not be removed completely. `remaining` lists the paths that are left; everything else is removed. */
export class FolderNotRemovedError extends CodexError {
  readonly code = "folder_not_removed";
  readonly folder: string;
  /** Up to 100 remaining paths, relative to the folder. Long ones are shortened in the middle. */
  readonly remaining: readonly string[];
  /** The total number of remaining paths, not counting the folders that contain them. */
  readonly remainingCount: number;

  constructor(folder: string, remaining: readonly string[], remainingCount: number, cause: unknown) {
    const more = remainingCount > 1 ? ` and ${remainingCount - 1} more` : "";
    super(`${folder} was not removed: ${JSON.stringify(remaining[0] ?? "")}${more} stayed`, { cause });
    this.folder = folder;
    this.remaining = remaining;
    this.remainingCount = remainingCount;
  }
}

/** Collects the remaining paths of a folder. */
export class Remaining {
  readonly #folder: string;
  readonly #paths: string[] = [];
  #count = 0;
  #cause: unknown;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get count(): number {
    return this.#count;
  }

  /** @param path returns the path; called only if the path is listed, because paths may be long */
  add(path: () => string, cause: unknown): void {
    this.#count += 1;
    this.#cause ??= cause;
    if (this.#paths.length < MOST_PATHS) this.#paths.push(cut(path()));
  }

  /** Throws if any path remains. */
  check(): void {
    if (this.#count === 0) return;
    throw new FolderNotRemovedError(this.#folder, this.#paths, this.#count, this.#cause);
  }
}

function cut(path: string): string {
  if (path.length <= MOST_CHARACTERS) return path;
  const half = MOST_CHARACTERS / 2;
  return `${path.slice(0, half)}…${path.slice(-half)}`;
}
