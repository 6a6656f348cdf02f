import { constants } from "node:fs";
import { lstat, open, realpath, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";

/** The beginning of a file, or why it was not read. */
export type Beginning =
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly why: string }
  /** `cut` is true if the file is longer. */
  | { readonly kind: "read"; readonly bytes: Uint8Array; readonly cut: boolean };

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Reads at most `most` bytes of a regular file, through links. If there is a `root`, a link must not lead out of it:
 * otherwise a repository could send any file of the user to the model. Never waits for a FIFO or a device.
 */
export async function readBeginning(
  file: string,
  most: number,
  root: string | undefined,
): Promise<Beginning> {
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return failed(error);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { kind: "refused", why: "it is not a regular file" };
    if (root !== undefined && !(await isInside(file, root, found))) {
      return { kind: "refused", why: `a link leads out of ${root}` };
    }
    const bytes = new Uint8Array(Math.min(found.size, most) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { kind: "read", bytes: bytes.subarray(0, Math.min(length, most)), cut: length > most };
  } catch (error) {
    return failed(error);
  } finally {
    await handle.close();
  }
}

/** Whether there is a regular file, through links. */
export async function isFile(file: string): Promise<boolean> {
  return await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** The path without links, or `undefined` if there is none. */
export async function realOf(file: string): Promise<string | undefined> {
  return await realpath(file).catch(() => undefined);
}

/** Compares the opened file with the one at the real path, so that a link that changes meanwhile is noticed. */
async function isInside(
  file: string,
  root: string,
  opened: { readonly dev: number; readonly ino: number },
): Promise<boolean> {
  const real = await realpath(file);
  const there = await lstat(real);
  if (there.dev !== opened.dev || there.ino !== opened.ino) return false;
  return isBelow(root, real);
}

/** Whether a path without links is in a folder. */
export function isBelow(root: string, real: string): boolean {
  const below = path.relative(root, real);
  return below !== ".." && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}

function failed(error: unknown): Beginning {
  const { code = "unknown" } = error as NodeJS.ErrnoException;
  return ABSENT.has(code) ? { kind: "absent" } : { kind: "refused", why: `it cannot be read (${code})` };
}
