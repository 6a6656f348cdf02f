import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { devNull, tmpdir } from "node:os";
import path from "node:path";

/** A folder with files, removed at the end of the block. */
export interface Folder extends Disposable {
  readonly dir: string;
  path(...parts: string[]): string;
}

/** A folder in memory if the system has one, for tests that make many files. */
export const MEMORY: string = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** @param parent where it is created; default: the folder for temporary files */
export function folder(files: Readonly<Record<string, string>> = {}, parent: string = tmpdir()): Folder {
  const dir = realpathSync(mkdtempSync(path.join(parent, "workspace-test-")));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), content);
  }
  return {
    dir,
    path: (...parts) => path.join(dir, ...parts),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Every file and link below a folder, sorted. */
export function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** The environment of a user without git settings. */
export function withoutSettings(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
}

/** Runs git as a user without settings. */
export function gitIn(dir: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: dir, env: withoutSettings(), encoding: "utf8" }).trim();
}

/** Creates a named pipe: a reader that opens it waits for a writer. */
export function pipeAt(file: string): void {
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", file]);
}

/** A repository with these files in one commit on `main`. */
export function repository(files: Readonly<Record<string, string>> = { a: "a" }): Folder {
  const repo = folder(files);
  gitIn(repo.dir, "init", "--quiet", "--template=", "-b", "main");
  gitIn(repo.dir, "add", ".");
  gitIn(repo.dir, "commit", "--quiet", "-m", "one");
  return repo;
}
