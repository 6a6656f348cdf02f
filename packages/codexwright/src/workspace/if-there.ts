/**
 * Returns undefined if the file does not exist. It may also have been removed in the meantime, because other programs
 * may work in the same folder.
 */
export async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "file_not_found") return undefined;
    throw error;
  }
}
