import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import type { User, World } from "./world.ts";

/** One attempt to leave the sandbox. It has escaped if it prints "escaped", or if `left` finds a trace on the host. */
export interface Attempt {
  readonly name: string;
  /**
   * A shell script. $ROOT is the writable root and $OUT is outside. `%name%` is the number of a system call, and `$TRY`
   * runs a Perl program that prints "escaped" if its last expression is not negative, and otherwise its errno.
   */
  readonly script: string;
  readonly prepare?: (world: World) => void;
  readonly left?: (world: World) => boolean;
  /**
   * For users who cannot do this even without the sandbox: the errnos, or the ends of the messages. The attempt is
   * expected to escape for all other users.
   */
  readonly impossible?: Readonly<Partial<Record<User, readonly string[]>>>;
  /** Only these users try. */
  readonly users?: readonly User[];
}

export const NOT_PERMITTED = ["EPERM", "EACCES"] as const;
/** Only root may do this. Some machines do not have it at all. */
export const ROOT_ONLY = { nobody: NOT_PERMITTED, self: NOT_PERMITTED } as const;
/** Kernels can be built without this, and containers often deny it. */
export const OPTIONAL = [...NOT_PERMITTED, "ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "ENODEV"] as const;
export const EVERYWHERE = { root: OPTIONAL, nobody: OPTIONAL, self: OPTIONAL } as const;

/** A Perl program whose value is the result of a system call. */
export function perl(name: string, code: string, more: Omit<Attempt, "name" | "script"> = {}): Attempt {
  return { name, script: `$TRY '${code}'`, ...more };
}

export function writes(name: string, script: string, more: Partial<Attempt> = {}): Attempt {
  return { name, script, ...more };
}

export function opens(file: string): string {
  return `sysopen(F, "${file}", 1) ? 0 : -1`;
}

export function withRoot(names: readonly string[]): Required<Attempt>["impossible"] {
  const all = [...new Set([...names, ...NOT_PERMITTED])];
  return { root: names, nobody: all, self: all };
}

export function removed(file: string): boolean {
  const was = existsSync(file);
  rmSync(file, { force: true });
  return was;
}

/** A name that no other test uses. */
export function tokenOf(base: string): string {
  return path.basename(base);
}
