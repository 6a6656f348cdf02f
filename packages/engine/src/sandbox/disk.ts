import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import type { Disk } from "../core/confinement/pin-policy.ts";

const HEAD_BYTES = 4096;

/** Reads this machine's disk. A path that it may not look at throws. */
export const nodeDisk: Disk = {
  kind: (file) => {
    try {
      const found = lstatSync(file);
      if (found.isSymbolicLink()) return { link: readlinkSync(file) };
      return found.isDirectory() ? "folder" : found.isFile() ? "file" : "other";
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw error;
    }
  },
  head: (file) => {
    let opened: number | undefined;
    try {
      // O_NONBLOCK: opening a FIFO does not wait for a writer.
      opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      if (!fstatSync(opened).isFile()) return undefined;
      const bytes = new Uint8Array(HEAD_BYTES);
      return new TextDecoder().decode(bytes.subarray(0, readSync(opened, bytes, 0, HEAD_BYTES, 0)));
    } catch {
      return undefined;
    } finally {
      if (opened !== undefined) closeSync(opened);
    }
  },
};
