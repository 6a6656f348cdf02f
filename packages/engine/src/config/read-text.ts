import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ConfigError } from "./config-error.ts";

/** The largest file that is read. */
export const LARGEST_FILE: number = 1024 * 1024;

/** Files that do not exist, or that cannot exist because a parent is not a folder. */
const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Reads a small regular file, through links. Returns `undefined` if it does not exist. It never waits: a FIFO or a
 * device is refused.
 */
export async function readText(file: string): Promise<{ text: string; mode: number } | undefined> {
  let handle;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (ABSENT.has(code)) return undefined;
    throw new ConfigError(file, `the file cannot be read (${code})`);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new ConfigError(file, "must be a regular file");
    // Files of the kernel claim to be empty, so the size is checked while reading.
    const bytes = new Uint8Array(Math.min(found.size, LARGEST_FILE) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > LARGEST_FILE) throw new ConfigError(file, `must have at most ${LARGEST_FILE} bytes`);
    if (length > found.size) throw new ConfigError(file, "must be a regular file that does not grow");
    return { text: new TextDecoder().decode(bytes.subarray(0, length)), mode: found.mode & 0o777 };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new ConfigError(file, `the file cannot be read (${code})`);
  } finally {
    await handle.close();
  }
}
