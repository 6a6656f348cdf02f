import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { SandboxError } from "../core/confinement/sandbox-error.ts";

/**
 * The mark of a sandbox in a folder: whether the folder was made for sandboxes, then the pid namespace, the pid and the
 * start time of the process that wrapped the command.
 */
const MARK = /^\.codexwright-in-use-(made|found)-(\d+)-(\d+)-(\d+)-[\da-f-]+$/;
const ATTEMPTS = 100;

/** A folder on the host that covers a missing path of a sandbox. */
export interface Placeholder {
  /** Removes the folder if it was made for sandboxes, no other sandbox uses it, and it is empty. */
  release(): void;
}

/**
 * Makes a folder, or joins the sandboxes that use it already. Until each of them has released it, the folder contains a
 * mark, so that no server can remove it with `rmdir`: that would remove the mount of a running sandbox.
 *
 * The folder above it stays open, so that a command that replaces that folder with a link cannot make this process write
 * somewhere else.
 */
export function holdPlaceholder(folder: string): Placeholder {
  const parent = openFolder(path.dirname(folder));
  try {
    const inside = `/proc/self/fd/${parent}/${path.basename(folder)}`;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const mark = hold(inside, folder);
      if (mark === undefined) continue;
      return {
        release: () => {
          try {
            if (mark !== "") release(inside, mark);
          } finally {
            closeSync(parent);
          }
        },
      };
    }
    throw new SandboxError(`${folder} keeps changing, so the sandbox cannot protect it.`);
  } catch (error) {
    closeSync(parent);
    throw error;
  }
}

function openFolder(folder: string): number {
  let opened: number | undefined;
  try {
    opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    if (readlinkSync(`/proc/self/fd/${opened}`) === folder) return opened;
  } catch (error) {
    if (opened !== undefined) closeSync(opened);
    throw unprotected(folder, error);
  }
  closeSync(opened);
  throw new SandboxError(`${folder} was replaced while the sandbox was built.`);
}

/** Whether a folder contains nothing but marks. */
export function isPlaceholder(folder: string): boolean {
  try {
    return readdirSync(folder).every((name) => MARK.test(name));
  } catch {
    return false;
  }
}

/** Returns the name of the mark, "" if no mark is needed, or `undefined` if the folder has changed in the meantime. */
function hold(folder: string, named: string): string | undefined {
  let isOurs = true;
  try {
    mkdirSync(folder, { mode: 0o755 });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw unprotected(named, error);
    const names = namesIn(folder);
    if (names === undefined) return undefined;
    removeStale(folder, names);
    isOurs = names.some((name) => MARK.exec(name)?.[1] === "made");
  }
  const mark = markOf(isOurs ? "made" : "found");
  try {
    writeFileSync(path.join(folder, mark), "", { flag: "wx" });
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    // Another user made the folder. Only that user can remove it.
    if (isCode(error, "EACCES", "EPERM", "EROFS")) return "";
    throw unprotected(named, error);
  }
  return mark;
}

function release(folder: string, mark: string): void {
  try {
    removeStale(folder, namesIn(folder) ?? []);
    unlinkSync(path.join(folder, mark));
    if (mark.includes("-made-")) rmdirSync(folder);
  } catch (error) {
    // Another sandbox uses it, the user put something into it, or it is gone.
    if (!isCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) throw error;
  }
}

/** Removes the marks of processes that ended without a release. */
function removeStale(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const [, , namespace, pid, startedAt] = MARK.exec(name) ?? [];
    // The processes of another container are not visible here.
    if (pid === undefined || namespace !== pidNamespace() || startTimeOf(pid) === startedAt) continue;
    rmSync(path.join(folder, name), { force: true });
  }
}

function markOf(how: "made" | "found"): string {
  const startedAt = startTimeOf("self") ?? "0";
  return `.codexwright-in-use-${how}-${pidNamespace()}-${process.pid}-${startedAt}-${randomUUID()}`;
}

function pidNamespace(): string {
  return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
}

/** Returns when a process started, in ticks since the machine started. */
function startTimeOf(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses. It can contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** Returns the names in a folder, or `undefined` if it does not exist. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw unprotected(folder, error);
  }
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}

function unprotected(folder: string, cause: unknown): SandboxError {
  const { code } = cause as NodeJS.ErrnoException;
  return new SandboxError(
    `the sandbox cannot cover ${folder}, which does not exist: ${code ?? "unknown error"}`,
    {
      cause,
    },
  );
}
