import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, open, readFile, stat, unlink, writeFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { ThreadInUseError } from "../core/records/store-errors.ts";

/** The places of flock(1). PATH is not used, because a repository can be on it. */
const FLOCK = ["/usr/bin/flock", "/bin/flock", "/usr/local/bin/flock", "/opt/homebrew/bin/flock"];
const FOLDER = "thread-writer-locks";
const ATTEMPTS = 8;

/** A held lock. */
export interface HeldLock {
  release(): Promise<void>;
}

let found: Promise<string | undefined> | undefined;

function flockProgram(): Promise<string | undefined> {
  return (found ??= (async () => {
    for (const file of FLOCK) {
      if (
        await access(file, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return file;
    }
    return undefined;
  })());
}

/**
 * Takes the lock of a thread, which Codex takes too. The lock belongs to a descriptor of this process, so it ends with
 * the process, however that ends. Rejects with a `ThreadInUseError` if another writer holds it.
 */
export async function lockThread(home: string, id: string): Promise<HeldLock> {
  const folder = path.join(home, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${id}.lock`);
  const flock = await flockProgram();
  if (flock === undefined) return await lockByPid(`${file}.pid`, id);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const handle = await openLock(file);
    try {
      if (!(await flocked(flock, ["-n"], handle))) throw new ThreadInUseError(id);
      if (await isCurrent(file, handle)) return { release: () => release(flock, folder, file, handle) };
    } catch (error) {
      await handle.close();
      throw error;
    }
    // Its holder removed the file in the meantime.
    await handle.close();
  }
  throw new ThreadInUseError(id);
}

function openLock(file: string): Promise<FileHandle> {
  return open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
}

/** Locks the open file. The lock stays when flock(1) ends, because both processes share the open file. */
function flocked(program: string, args: readonly string[], handle: FileHandle): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, "3"], {
      stdio: ["ignore", "ignore", "ignore", handle.fd],
      env: {},
      windowsHide: true,
    });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code === 0));
  });
}

async function isCurrent(file: string, handle: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([stat(file).catch(() => undefined), handle.stat()]);
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

/** Removes the file and gives up the lock. Codex makes and removes these files under the coordination lock. */
async function release(flock: string, folder: string, file: string, handle: FileHandle): Promise<void> {
  const coordination = await openLock(path.join(folder, ".coordination.lock")).catch(() => undefined);
  try {
    const held =
      coordination !== undefined && (await flocked(flock, ["-w", "2"], coordination).catch(() => false));
    if (held && (await isCurrent(file, handle))) await unlink(file).catch(() => {});
  } finally {
    await handle.close();
    await coordination?.close();
  }
}

/** Without flock(1): a file with the process id and its start time. Codex does not see this lock. */
async function lockByPid(file: string, id: string): Promise<HeldLock> {
  const own = `${process.pid} ${(await startTimeOf(process.pid)) ?? ""}`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const made = await writeFile(file, own, { flag: "wx", mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (made) return { release: () => unlink(file).catch(() => {}) };
    const holder = await readFile(file, "utf8").catch(() => "");
    if (await isAlive(holder)) throw new ThreadInUseError(id);
    await unlink(file).catch(() => {});
  }
  throw new ThreadInUseError(id);
}

async function isAlive(holder: string): Promise<boolean> {
  const [first, started = ""] = holder.split(" ");
  const pid = Number(first);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = await startTimeOf(pid);
  return started === "" || now === undefined || now === started;
}

/** The start time of a process, so that a new process with the same id is recognized. Only Linux tells it. */
async function startTimeOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19];
}
