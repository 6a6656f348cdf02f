import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

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

/** Writes until the file system is full. */
export function fill(file: string): void {
  writeFileSync(file, "");
  for (let size = 1_048_576; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}
