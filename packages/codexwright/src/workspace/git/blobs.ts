import type { Readable } from "node:stream";
import { GitFailedError } from "../errors.ts";
import { gitStream } from "./git.ts";
import { Pending } from "../pending.ts";

/** Blobs up to this size are read into memory, a few at the same time. Larger blobs are streamed. */
const SMALL = 256 * 1024;

/** The content of a blob in chunks. */
export type Pieces = readonly Buffer[] | AsyncIterable<Buffer>;

/**
 * Calls `each` with the content of every blob. Small blobs are processed concurrently, so the calls may overlap.
 *
 * A missing blob is not fetched from a remote: the promise rejects with `git_failed`.
 */
export async function readBlobs<Item extends { readonly id: string }>(
  gitDir: string,
  items: readonly Item[],
  each: (item: Item, pieces: Pieces) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  const input = items.map(({ id }) => `${id}\n`).join("");
  await gitStream(["cat-file", "--batch", "--buffer"], { gitDir, cwd: gitDir, input }, async (output) => {
    const bytes = new Bytes(output);
    const pending = new Pending();
    try {
      for (const item of items) {
        const size = sizeOf(await bytes.line(), item.id);
        if (size <= SMALL) await pending.add(each(item, [await bytes.take(size)]));
        else {
          const pieces = bytes.pieces(size);
          await each(item, pieces);
          // Skip the rest of the blob if `each` did not read it.
          while (!(await pieces.next()).done);
        }
        await bytes.take(1);
      }
      await bytes.end();
    } finally {
      // Wait for all writes, so that none of them happens after this call settles.
      await pending.settled();
    }
  });
}

/** Parses `id blob size`. Throws for `id missing` and for other types. */
function sizeOf(header: string, id: string): number {
  const [, type, size] = header.split(" ");
  if (type === "blob" && size !== undefined) return Number(size);
  throw new GitFailedError(
    "cat-file",
    type === "missing" ? `object ${id} is missing, and fetching is disabled` : `object ${id} is not a blob`,
  );
}

/** Reads a stream by lines and by byte counts. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async line(): Promise<string> {
    let end = this.#rest.indexOf(10);
    while (end === -1) {
      const chunk = await this.#next();
      this.#rest = Buffer.concat([this.#rest, chunk]);
      end = this.#rest.indexOf(10);
    }
    const line = this.#rest.toString("latin1", 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const piece of this.pieces(size)) parts.push(piece);
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  async *pieces(size: number): AsyncGenerator<Buffer> {
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0) this.#rest = await this.#next();
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /**
   * Reads to the end of the stream. On Bun, the process may never emit `close` if its output is not read to the end.
   */
  async end(): Promise<void> {
    const { done } = await this.#chunks.next();
    if (!done || this.#rest.length > 0) throw new GitFailedError("cat-file", "the output is too long");
  }

  async #next(): Promise<Buffer> {
    const { done, value } = await this.#chunks.next();
    if (done) throw new GitFailedError("cat-file", "the output ended before the announced size");
    return value;
  }
}
