import { readFileSync } from "node:fs";
import { isWithin, normal } from "../core/confinement/paths.ts";

/** A line of `/proc/self/mountinfo`. The paths are unescaped. */
export interface Mount {
  /** The device, such as "254:1". */
  readonly device: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  readonly point: string;
}

export function readMounts(): readonly Mount[] {
  return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"));
}

export function parseMounts(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, , device, root, point] = line.split(" ");
    if (device === undefined || root === undefined || point === undefined) return [];
    return [{ device, root: unescape(root), point: unescape(point) }];
  });
}

/**
 * Returns the lines `device root` that the writable mounts of these folders have in the sandbox, in the escaped form of
 * mountinfo. A folder that was replaced after it was looked at has another line.
 */
export function writableLines(mounts: readonly Mount[], folders: readonly string[]): readonly string[] {
  const lines = new Set<string>();
  const add = ({ device, root }: Pick<Mount, "device" | "root">): void =>
    void lines.add(`${device} ${escape(root)}`);
  for (const folder of folders) {
    const holder = mounts.findLast(
      (each) => isWithin(folder, each.point) && each.point.length === longestPoint(mounts, folder),
    );
    if (holder) add({ ...holder, root: normal(`${holder.root}/${folder.slice(holder.point.length)}`) });
    for (const each of mounts) if (isWithin(each.point, folder)) add(each);
  }
  // A mount below another one cannot be reached by a path, and bwrap cannot make it read-only.
  for (const [index, each] of mounts.entries()) {
    const isHidden = mounts.slice(index + 1).some(({ point }) => isWithin(each.point, point));
    if (isHidden && each.point !== "/") add(each);
  }
  return [...lines];
}

function longestPoint(mounts: readonly Mount[], folder: string): number {
  return Math.max(...mounts.filter(({ point }) => isWithin(folder, point)).map(({ point }) => point.length));
}

function unescape(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(parseInt(digits, 8)));
}

function escape(text: string): string {
  return text.replaceAll(
    /[ \t\n\\]/g,
    (char) => `\\${(char.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`,
  );
}
