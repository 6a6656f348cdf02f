import { randomUUID } from "node:crypto";
import { lstat, open, readlink, rename, rm, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { CodexError } from "codexwright/rpc";
import { ConfigWriteError } from "../core/services/config/write-error.ts";
import { ConfigError } from "./config-error.ts";

/** A writer that holds a file for longer has ended: writing takes milliseconds. */
const STALE_MS = 10_000;
const RETRY_MS = 10;
const LONGEST_WAIT_MS = 15_000;
/** As many links as Linux follows. */
const MOST_LINKS = 40;
/** How often a change is made again because another program, which does not know the lock, changed the file. */
const MOST_ATTEMPTS = 20;

/**
 * Replaces a small file of the user by the text that `change` returns, at once or not at all. `undefined` leaves the file
 * as it is. The file keeps its permissions unless `mode` sets them; a new one has 0600. Links are followed, so a file that is kept elsewhere stays
 * there.
 *
 * The engines that change a file take turns: the file with the next version is the lock. If another program changes the
 * file meanwhile, `change` is called again.
 */
export async function changeFile<T>(named: string, change: Change<T>, mode?: number): Promise<T> {
  return await changeHeld(named, change, mode).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof CodexError || code === undefined) throw error;
    throw new ConfigError(named, `the file cannot be written (${code})`);
  });
}

type Change<T> = (file: string) => Promise<{ readonly text: string | undefined; readonly result: T }>;

async function changeHeld<T>(named: string, change: Change<T>, mode: number | undefined): Promise<T> {
  const file = await behindLinks(named);
  const next = path.join(path.dirname(file), `.${path.basename(file)}.codexwright`);
  const handle = await created(next);
  try {
    for (let attempt = 1; ; attempt++) {
      const before = await versionOf(file);
      const { text, result } = await change(file);
      if (text === undefined) return result;
      await write(handle, file, text, mode);
      if ((await versionOf(file)) !== before) {
        if (attempt < MOST_ATTEMPTS) continue;
        throw ConfigWriteError.conflict();
      }
      if (!(await isAt(handle, next))) throw ConfigWriteError.conflict();
      await rename(next, file);
      return result;
    }
  } finally {
    // After the rename, the name is free or belongs to another writer.
    if (await isAt(handle, next)) await rm(next, { force: true });
    await handle.close();
  }
}

async function write(
  handle: FileHandle,
  file: string,
  text: string,
  mode: number | undefined,
): Promise<void> {
  const old = await stat(file).catch(() => undefined);
  await handle.truncate();
  await handle.write(text, 0);
  // Only root may give files away.
  if (old) await handle.chown(old.uid, old.gid).catch(() => {});
  await handle.chmod(mode ?? (old ? old.mode & 0o777 : 0o600));
  await handle.sync();
}

async function behindLinks(named: string): Promise<string> {
  let file = named;
  for (let links = 0; links < MOST_LINKS; links++) {
    const found = await lstat(file).catch(() => undefined);
    if (!found?.isSymbolicLink()) return file;
    file = path.resolve(path.dirname(file), await readlink(file));
  }
  throw new ConfigError(named, "the file is a loop of links");
}

async function created(next: string): Promise<FileHandle> {
  const end = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await open(next, "wx", 0o600);
    } catch (error) {
      const isHeld = (error as NodeJS.ErrnoException).code === "EEXIST";
      if (!isHeld || performance.now() > end) throw error;
    }
    await removeStale(next);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Moves the file away before it is removed. If it was not the old one, its writer fails and loses nothing. */
async function removeStale(next: string): Promise<void> {
  const found = await stat(next).catch(() => undefined);
  if (!found || Date.now() - found.mtimeMs < STALE_MS) return;
  const away = `${next}-${randomUUID()}`;
  await rename(next, away).catch(() => {});
  await rm(away, { force: true });
}

async function versionOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found ? [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":") : "";
}

async function isAt(handle: FileHandle, next: string): Promise<boolean> {
  const [named, own] = await Promise.all([lstat(next).catch(() => undefined), handle.stat()]);
  return named?.ino === own.ino && named.dev === own.dev;
}
