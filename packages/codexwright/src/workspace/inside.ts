import { open, realpath, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { WorkspaceSecurityError } from "./errors.ts";
import { READ } from "./open-flags.ts";
import { allowedSource, type AllowedRoots } from "./roots.ts";

/** Maximum size of a file that is read: larger than any pointer file, list of alternates or configuration. */
const MOST_BYTES = 1 << 20;

/** Opens a file and passes it to `use`, but only if its real path is inside the roots. Follows links. */
export async function withFileInside<T>(
  file: string,
  roots: AllowedRoots,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const real = await allowedSource(file, roots, true);
  const handle = await open(real, READ);
  try {
    if (!(await handle.stat()).isFile()) throw new WorkspaceSecurityError(file, "is not a regular file");
    // The folder may have become a link between the check and the opening.
    if ((await realpath(path.dirname(real))) !== path.dirname(real)) {
      throw new WorkspaceSecurityError(file, "was moved while it was being read");
    }
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** Reads the text of a small file inside the roots. */
export async function readInside(file: string, roots: AllowedRoots): Promise<string> {
  return await withFileInside(file, roots, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
    if (bytesRead > MOST_BYTES)
      throw new WorkspaceSecurityError(file, `must have at most ${MOST_BYTES} bytes`);
    return buffer.toString("utf8", 0, bytesRead);
  });
}

/** Copies a file inside the roots to a new file, if it has at most `most` bytes. Returns its size. */
export async function copyInside(
  file: string,
  target: string,
  roots: AllowedRoots,
  most: number,
): Promise<number> {
  return await withFileInside(file, roots, async (handle) => {
    // Check the size before reading, because this may be a huge sparse file.
    if ((await handle.stat()).size > most) {
      throw new WorkspaceSecurityError(file, `must have at most ${most} bytes`);
    }
    const copy = await open(target, "wx");
    try {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      for (let copied = 0; ;) {
        const { bytesRead } = await handle.read(chunk, 0, chunk.length);
        if (bytesRead === 0) return copied;
        copied += bytesRead;
        if (copied > most) throw new WorkspaceSecurityError(file, `must have at most ${most} bytes`);
        await copy.writeFile(chunk.subarray(0, bytesRead));
      }
    } finally {
      await copy.close();
    }
  });
}
