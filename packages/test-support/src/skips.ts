/** Reasons to skip a test in this place, for the option `skip` of `verifies`; `false` if it can run. */
export type Skip = string | false;

export const unlessLinux: Skip = process.platform !== "linux" && "it needs Linux";

export const onWindows: Skip = process.platform === "win32" && "it needs a POSIX system";

export const IS_BUN: boolean = "Bun" in globalThis;

/** @param why what Bun does otherwise */
export function onBun(why: string): Skip {
  return IS_BUN && why;
}
