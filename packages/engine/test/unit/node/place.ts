import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A temporary home and working folder. */
export interface Place extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  /** Reads a file of the working folder. */
  read(name: string): string;
  write(name: string, text: string): void;
}

export function temporaryPlace(): Place {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "codexwright-engine-"));
  const home = path.join(root, "home");
  const work = path.join(root, "work");
  for (const folder of [home, work]) mkdirSync(folder);
  return {
    home,
    work,
    read: (name) => readFileSync(path.join(work, name), "utf8"),
    write: (name, text) => writeFileSync(path.join(work, name), text),
    async [Symbol.asyncDispose]() {
      await Promise.resolve(rmSync(root, { recursive: true, force: true }));
    },
  };
}
