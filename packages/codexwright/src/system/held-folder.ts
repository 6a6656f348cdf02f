import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  statSync,
  type BigIntStats,
} from "node:fs";

/** macOS can refuse links in every part of a path (O_NOFOLLOW_ANY); other systems only in its last part. */
export const NO_LINKS: number = process.platform === "darwin" ? 0x20_00_00_00 : (constants.O_NOFOLLOW ?? 0);

/** A descriptor that needs no rights on the folder itself; it can be a start of paths and nothing else. */
const O_PATH = process.platform === "linux" ? 0o10_000_000 : 0;

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_LINKS | O_PATH;

/**
 * A folder that is held open: a name in it stays a name in this folder, even if another process moves the folder or puts
 * a link in its place. Whoever opens it closes it.
 *
 * Node has no `openat`. On Linux, `/proc/self/fd/<n>/<name>` is the same: the system starts at the open folder. Elsewhere
 * names are appended to the path of the folder, so a process that swaps the folder at the right moment can redirect them.
 *
 * Its calls are synchronous: they ask the system about names only, which it answers from memory.
 */
export class HeldFolder {
  static #starts: boolean | undefined;
  readonly #fd: number;
  readonly #base: Buffer;

  private constructor(fd: number, base: Buffer) {
    this.#fd = fd;
    this.#base = base;
  }

  /** True if a path can start at an open folder. Asked of the system once: `/proc` need not be there. */
  static startsAtDescriptors(): boolean {
    HeldFolder.#starts ??= process.platform === "linux" && probe();
    return HeldFolder.#starts;
  }

  /** Opens a folder by its path. Links in the path are followed, except for its last part. */
  static open(path: string | Buffer): HeldFolder {
    const byDescriptor = HeldFolder.startsAtDescriptors();
    const fd = openSync(path, FOLDER);
    return new HeldFolder(fd, byDescriptor ? Buffer.from(descriptorPath(fd)) : Buffer.from(path));
  }

  /** Opens a folder in this one; a link is refused (`ELOOP` or `ENOTDIR`). */
  folder(name: string | Buffer): HeldFolder {
    return HeldFolder.open(this.at(name));
  }

  /** The path of a name in this folder, for as long as the folder is held. */
  at(name: string | Buffer): Buffer {
    return Buffer.concat([this.#base, Buffer.from("/"), Buffer.from(name)]);
  }

  /** What a name in this folder is, without following a link; undefined if there is nothing of that name. */
  look(name: string | Buffer): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
  }

  /** The names in this folder, as bytes: they need not be UTF-8. */
  names(): Buffer[] {
    return readdirSync(this.at("."), "buffer");
  }

  /** What this folder is, by the numbers that the system knows it by. */
  identity(): string {
    const { dev, ino } = fstatSync(this.#fd, { bigint: true });
    return `${dev}:${ino}`;
  }

  /** False if this folder is known to be in another place than this real path; only Linux can tell. */
  isAt(real: string): boolean {
    return !HeldFolder.startsAtDescriptors() || readlinkSync(this.#base) === real;
  }

  /** Gives the owner every right on this folder, if this process may. */
  permit(): void {
    try {
      if ((fstatSync(this.#fd).mode & 0o700) !== 0o700) chmodSync(this.#base, 0o700);
    } catch {
      // What needs the rights reports that they are missing.
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Runs `work` with a folder, and closes the folder at its end. */
export async function holding<F extends HeldFolder | undefined, T>(
  folder: F,
  work: (folder: F) => Promise<T>,
): Promise<T> {
  try {
    return await work(folder);
  } finally {
    folder?.close();
  }
}

/** Undefined if there is nothing of that name, or if it is not what is asked for. */
export function ifThere<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
    throw error;
  }
}

function descriptorPath(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

function probe(): boolean {
  const fd = openSync("/", FOLDER);
  try {
    const [held, named] = [fstatSync(fd), statSync(`${descriptorPath(fd)}/.`, { throwIfNoEntry: false })];
    return named?.ino === held.ino && named.dev === held.dev;
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}
