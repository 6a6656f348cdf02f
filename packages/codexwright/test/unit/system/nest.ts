import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";

/**
 * Nests folders of one name deeper than any path can express: the content is moved into a new folder, which takes its
 * place, repeatedly.
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
