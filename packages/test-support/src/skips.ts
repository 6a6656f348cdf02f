/** The reason to skip a test here, for the option `skip` of `verifies`; `false` if the test can run. */
export type Skip = string | false;

export const unlessLinux: Skip = process.platform !== "linux" && "it needs Linux";

export const onWindows: Skip = process.platform === "win32" && "it needs a POSIX system";

export const IS_BUN: boolean = "Bun" in globalThis;

/** @param why how Bun differs */
export function onBun(why: string): Skip {
  return IS_BUN && why;
}
