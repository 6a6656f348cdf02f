import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Mounts an in-memory file system of this size (MiB) on an empty folder. Needs root. */
export function mountSmall(folder: string, mebibytes: number): Disposable {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "codexwright-drill", folder]);
  return { [Symbol.dispose]: () => void unmountBelow(folder) };
}

/** Unmounts everything that is mounted at or below a folder, and returns those paths. */
export function unmountBelow(folder: string): string[] {
  const mounts = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((mount) => mount === folder || mount.startsWith(`${folder}/`));
  // Lazily, because a process that is about to end may still have its working directory there.
  for (const mount of mounts) execFileSync("umount", ["--lazy", mount]);
  return mounts;
}
