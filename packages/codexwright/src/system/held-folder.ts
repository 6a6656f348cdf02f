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

/**
 * The flag that refuses links. macOS can refuse links in every part of a path (O_NOFOLLOW_ANY); other systems only in
 * the last part.
 */
export const NO_LINKS: number = process.platform === "darwin" ? 0x20_00_00_00 : (constants.O_NOFOLLOW ?? 0);

/**
 * A flag that opens a folder even if we have no rights on it. The descriptor can only be used as the start of a path.
 */
const O_PATH = process.platform === "linux" ? 0o10_000_000 : 0;

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_LINKS | O_PATH;

/**
 * A folder that is held open. Names are looked up in this same folder, even if another process moves the folder or
 * replaces it with a link. The caller that opens a folder must close it.
 *
 * Node has no `openat`. On Linux, `/proc/self/fd/<n>/<name>` does the same: the kernel starts at the open folder. On
 * other systems, names are appended to the path, so a process that swaps the folder at the right moment can redirect
 * them.
 *
 * The calls are synchronous because they only look up names, which the kernel answers from memory.
 */
export class HeldFolder {
  static #starts: boolean | undefined;
  readonly #fd: number;
  readonly #base: Buffer;

  private constructor(fd: number, base: Buffer) {
    this.#fd = fd;
    this.#base = base;
  }

  /** True if a path can start at an open folder. Checked once, because `/proc` may be missing. */
  static startsAtDescriptors(): boolean {
    HeldFolder.#starts ??= process.platform === "linux" && probe();
    return HeldFolder.#starts;
  }

  /** Opens a folder by its path. Follows links in the path, but not in its last part. */
  static open(path: string | Buffer): HeldFolder {
    const byDescriptor = HeldFolder.startsAtDescriptors();
    const fd = openSync(path, FOLDER);
    return new HeldFolder(fd, byDescriptor ? Buffer.from(descriptorPath(fd)) : Buffer.from(path));
  }

  /** Opens a subfolder of this folder. Throws `ELOOP` or `ENOTDIR` for a link. */
  folder(name: string | Buffer): HeldFolder {
    return HeldFolder.open(this.at(name));
  }

  /** Returns the path of a name in this folder. The path is valid while the folder is open. */
  at(name: string | Buffer): Buffer {
    return Buffer.concat([this.#base, Buffer.from("/"), Buffer.from(name)]);
  }

  /** Returns the stats of a name in this folder without following links, or undefined if it does not exist. */
  look(name: string | Buffer): BigIntStats | undefined {
    return lstatSync(this.at(name), { bigint: true, throwIfNoEntry: false });
  }

  /** The names in this folder, as bytes, because they may not be UTF-8. */
  names(): Buffer[] {
    return readdirSync(this.at("."), "buffer");
  }

  /** Identifies this folder by its device and inode. */
  identity(): string {
    const { dev, ino } = fstatSync(this.#fd, { bigint: true });
    return `${dev}:${ino}`;
  }

  /** Returns false if this folder is known to be at another real path. Only Linux can check this. */
  isAt(real: string): boolean {
    return !HeldFolder.startsAtDescriptors() || readlinkSync(this.#base) === real;
  }

  /** Grants the owner all rights on this folder, if this process is allowed to. */
  permit(): void {
    try {
      if ((fstatSync(this.#fd).mode & 0o700) !== 0o700) chmodSync(this.#base, 0o700);
    } catch {
      // The call that needs the rights will report that they are missing.
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Runs `work` with a folder and closes the folder afterwards. */
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

/** Returns undefined if the name does not exist or has the wrong type. */
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
