import { mkdir, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { FleetError } from "../../domain/errors.ts";
import { unpack } from "./tar.ts";

/** With less free space than this, PostgreSQL cannot start. */
const LEAST_BYTES = 32 * 1024 * 1024;

/** The database of a first start: an initialised cluster with all tables. Made by the build. */
const SEED = new URL("./seed.tar.gz", import.meta.url);

/** Opens the database in a folder. Makes it if the folder does not exist. */
export async function openFolder(folder: string, seed: URL | null = SEED): Promise<PGlite> {
  await removeUnfinished(folder);
  if (!(await exists(folder))) return await make(folder, seed);
  // Without this file, PGlite would make an empty database over the old one.
  if (!(await exists(path.join(folder, "PG_VERSION")))) throw await damaged(folder, undefined);
  try {
    return await open(folder);
  } catch (error) {
    throw await damaged(folder, error);
  }
}

/** Opens a database again that was open in this process. It is whole; the disk may be full. */
export async function reopenFolder(folder: string): Promise<PGlite> {
  if (!(await exists(path.join(folder, "PG_VERSION"))))
    throw new FleetError("database_unavailable", `The database in ${folder} has been removed.`);
  return await open(folder);
}

/** Makes the database beside its place, so that a folder with the right name is always complete. */
async function make(folder: string, seed: URL | null): Promise<PGlite> {
  const unfinished = `${folder}.new`;
  try {
    const packed = seed === null ? undefined : await readFile(seed).catch(() => undefined);
    if (packed !== undefined) {
      try {
        await unpack(packed, unfinished);
        await rename(unfinished, folder);
        return await open(folder);
      } catch {
        // The seed is of another version of PostgreSQL, or damaged. Without it, a first start takes longer.
        for (const made of [unfinished, folder]) await rm(made, { recursive: true, force: true });
      }
    }
    await mkdir(unfinished, { mode: 0o700 });
    const pglite = await open(unfinished);
    await pglite.close();
    await rename(unfinished, folder);
    return await open(folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    const why = error instanceof Error ? error.message : String(error);
    throw new FleetError("database_unavailable", `The database in ${folder} cannot be made: ${why}`, {
      cause: error,
    });
  }
}

async function open(folder: string): Promise<PGlite> {
  const { PGlite: Class } = await import("@electric-sql/pglite");
  return await Class.create({ dataDir: folder });
}

/** Removes what a process has left that ended while it made the database. */
async function removeUnfinished(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const left = (await readdir(parent)).filter((name) => name === `${path.basename(folder)}.new`);
  for (const name of left) await rm(path.join(parent, name), { recursive: true, force: true });
}

async function damaged(folder: string, error: unknown): Promise<FleetError> {
  const why = error instanceof Error ? ` (${error.message})` : "";
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_BYTES)
    return new FleetError(
      "database_unavailable",
      `The disk of ${folder} is full${why}. Free at least ${LEAST_BYTES / 1024 / 1024} MiB.`,
      { cause: error },
    );
  return new FleetError(
    "database_damaged",
    `The database in ${folder} is damaged${why}. Restore it from a backup, or move the folder away: the next start ` +
      "makes a new one. Claims, retries and totals are lost then; workspaces are kept.",
    { cause: error },
  );
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}
