import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { SandboxError } from "../core/confinement/sandbox-error.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import type { Arch } from "./syscalls.ts";

/** Every sandbox has a `/dev` of its own. So no confined command can reach a file in this folder of the host. */
const FOLDER = "/dev/shm";

const opened = new Map<boolean, string>();

/**
 * Returns the path of a file with the seccomp filter. Only this process has the file open, and the file has no name, so
 * only programs that this process starts can open the path. The file stays open until the process ends.
 */
export function filterFile(arch: Arch, network: boolean): string {
  const before = opened.get(network);
  if (before !== undefined) return before;
  const file = path.join(FOLDER, `codexwright-${randomUUID()}`);
  try {
    const { O_CREAT, O_EXCL, O_WRONLY, O_RDONLY, O_NOFOLLOW } = constants;
    const writer = openSync(file, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
    try {
      const bytes = seccompFilter(arch, network);
      if (writeSync(writer, bytes) !== bytes.length) throw new Error("the file is incomplete");
      const reader = openSync(`/proc/self/fd/${writer}`, O_RDONLY);
      const own = `/proc/${process.pid}/fd/${reader}`;
      opened.set(network, own);
      return own;
    } finally {
      closeSync(writer);
      rmSync(file, { force: true });
    }
  } catch (cause) {
    throw new SandboxError(`${FOLDER} cannot hold the seccomp filter`, { cause });
  }
}
