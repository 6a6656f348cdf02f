import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { GitFailedError } from "../errors.ts";
import type { ObjectFormat } from "./git-dir.ts";

/** An entry of a git index. */
export interface IndexEntry {
  readonly mode: number;
  readonly id: string;
  /** The path, with one character per byte, because names need not be UTF-8. */
  readonly path: string;
  /** Offset of the entry in the file. */
  readonly at: number;
}

export const FILE = 0o100644;
export const PROGRAM = 0o100755;
export const LINK = 0o120000;
export const SUBMODULE = 0o160000;

/** Number of bytes before the object id in an entry: times, device, inode, mode, owner and size of the file. */
const STAT_BYTES = 40;

/** Parses an index file of version 2, which git writes unless its configuration sets another version. */
export function parseIndex(index: Buffer, format: ObjectFormat): readonly IndexEntry[] {
  if (index.toString("latin1", 0, 4) !== "DIRC" || index.readUInt32BE(4) !== 2) {
    throw new GitFailedError("read-tree", "the index must have version 2");
  }
  const pathAt = STAT_BYTES + idBytes(format) + 2;
  let at = 12;
  return Array.from({ length: index.readUInt32BE(8) }, () => {
    const end = index.indexOf(0, at + pathAt);
    const entry = {
      mode: index.readUInt32BE(at + 24),
      id: index.toString("hex", at + STAT_BYTES, at + STAT_BYTES + idBytes(format)),
      path: index.toString("latin1", at + pathAt, end),
      at,
    };
    // Each entry is padded with 1 to 8 zero bytes to a multiple of 8 bytes.
    at += ((end - at) & ~7) + 8;
    return entry;
  });
}

/** Writes the stat of a file into its index entry, so that git need not read the file later if it is unchanged. */
export function stamp(index: Buffer, { at, mode }: IndexEntry, stat: BigIntStats): void {
  const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stat;
  const second = 1_000_000_000n;
  const times = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second];
  const fields = [...times, dev, ino, BigInt(mode), uid, gid, size];
  for (const [n, field] of fields.entries()) {
    index.writeUInt32BE(Number(BigInt.asUintN(32, field)), at + 4 * n);
  }
}

/** Updates the hash at the end of a changed index. */
export function seal(index: Buffer, format: ObjectFormat): void {
  const end = index.length - idBytes(format);
  createHash(format).update(index.subarray(0, end)).digest().copy(index, end);
}

function idBytes(format: ObjectFormat): number {
  return format === "sha1" ? 20 : 32;
}
