import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A file system in memory of so many MiB, in place of an empty folder; needs root. */
export function mountSmall(folder: string, mebibytes: number): Disposable {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "codexwright-drill", folder]);
  return { [Symbol.dispose]: () => void unmountBelow(folder) };
}

/** Unmounts what is mounted at or below a folder; tells what that was. */
export function unmountBelow(folder: string): string[] {
  const mounts = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((mount) => mount === folder || mount.startsWith(`${folder}/`));
  // Lazily: a process in its last moments may still stand in it.
  for (const mount of mounts) execFileSync("umount", ["--lazy", mount]);
  return mounts;
}
