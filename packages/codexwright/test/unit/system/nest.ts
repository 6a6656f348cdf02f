import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";

/**
 * Nests folders of one name deeper than any path can express. It repeatedly moves the content into a new folder, which
 * then takes the place of the old one.
 */
export function nest(dir: string, depth: number, name: string): void {
  const [top, next] = [path.join(dir, name), path.join(dir, "next")];
  mkdirSync(top);
  for (let level = 1; level < depth; level++) {
    mkdirSync(next);
    renameSync(top, path.join(next, name));
    renameSync(next, top);
  }
}
