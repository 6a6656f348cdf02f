import { chmod, lstat, readdir, rename, rmdir, unlink } from "node:fs/promises";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";
import { Remaining } from "./not-removed.ts";

/**
 * Removes a folder on systems where a path cannot start at an open folder. Each nested folder is moved to the top
 * before it is emptied. So no path gets longer than two names, however deep the folders are nested.
 */
export async function removeByPath(top: Buffer): Promise<void> {
  const remaining = new Remaining(top.toString("utf8"));
  const attempt = async (file: Buffer, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      if (resourceExhausted("", error)) throw error;
      // A folder that is not empty because of a path that was already reported is not reported again.
      if (code !== "ENOTEMPTY" || remaining.count === 0)
        remaining.add(() => file.subarray(top.length + 1).toString("utf8") || ".", error);
    }
  };

  const folders: Buffer[] = [];
  const remove = async (file: Buffer, moved: Buffer): Promise<void> => {
    await attempt(file, async () => {
      if (!(await lstat(file)).isDirectory()) return await unlink(file);
      // Moving and reading the folder needs all rights on it.
      await chmod(file, 0o700);
      if (!moved.equals(file)) await rename(file, moved);
      folders.push(moved);
    });
  };

  await remove(top, top);
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const current = folder;
    await attempt(current, async () => {
      for (const name of await readdir(current, "buffer")) {
        const file = join(current, name);
        const atTop = current.equals(top) ? file : join(top, Buffer.from(crypto.randomUUID()));
        await remove(file, atTop);
      }
      if (!current.equals(top)) await rmdir(current);
    });
  }
  await attempt(top, async () => rmdir(top));
  remaining.check();
}

function join(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
