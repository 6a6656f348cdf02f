import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

/** A complete line of a file. */
export interface Line {
  /** `undefined` if the line is longer than the limit. */
  readonly text: string | undefined;
  /** The position of its first byte. */
  readonly at: number;
  /** The position of the next line. */
  readonly end: number;
}

/** A longer line is skipped. The longest that Codex writes holds the output of a command or an image. */
export const LONGEST_LINE: number = 64 * 1024 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 10;

/** Opens a regular file. Refuses symbolic links, and does not wait for a FIFO. */
export async function openRegular(
  file: string,
  flags: number = constants.O_RDONLY,
  mode?: number,
): Promise<FileHandle> {
  const handle = await open(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw Object.assign(new Error(`not a regular file: ${file}`), { code: "EINVAL" });
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads the complete lines between two positions. A last line without a line break is not complete. */
export async function* linesOf(
  handle: FileHandle,
  from: number = 0,
  to: number = Number.POSITIVE_INFINITY,
  longest: number = LONGEST_LINE,
): AsyncGenerator<Line, void, undefined> {
  const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK, to - from)));
  let parts: Buffer[] = [];
  let kept = 0;
  let start = from;
  let position = from;
  while (position < to) {
    const wanted = Math.min(CHUNK, to - position);
    const { bytesRead } = await handle.read(chunk, 0, wanted, position);
    if (bytesRead === 0) return;
    let at = 0;
    for (;;) {
      const found = chunk.indexOf(NEWLINE, at);
      const stop = found === -1 || found >= bytesRead ? bytesRead : found;
      const length = position + stop - start;
      // Most lines are in one chunk, and need no copy.
      const isWhole = start === position + at && stop < bytesRead;
      if (length > longest) {
        parts = [];
      } else if (!isWhole) {
        parts.push(Buffer.from(chunk.subarray(at, stop)));
        kept = length;
      }
      if (stop === bytesRead) break;
      const end = position + stop + 1;
      const text = (): string =>
        isWhole ? chunk.toString("utf8", at, stop) : Buffer.concat(parts, kept).toString("utf8");
      yield { text: length <= longest ? text() : undefined, at: start, end };
      parts = [];
      kept = 0;
      start = end;
      at = stop + 1;
    }
    position += bytesRead;
  }
}
