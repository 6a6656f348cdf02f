import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "pg-boss";
import { Queues } from "./boss/queues.ts";
import type { Driver } from "./database/database.ts";
import { openFolder, reopenFolder } from "./embedded/folder.ts";
import { FolderLock } from "./embedded/lock.ts";
import { EmbeddedDriver } from "./embedded/pglite.ts";
import { PostgresDriver } from "./postgres/driver.ts";
import { prepare } from "./prepare.ts";
import { DatabaseJobStore } from "./store/store.ts";
import { Wake } from "./store/wake.ts";

export interface JobStoreOptions {
  /** Receives what an operator should know. */
  readonly warn?: (message: string) => void;
  /** For tests: the time of the jobs. */
  readonly clock?: Clock;
}

/**
 * Opens the job store in a folder of this machine. Only one process at a time can have it. Rejects with `FleetError`
 * `fleet_already_runs`, `database_damaged`, `database_version` or `database_unavailable`.
 */
export async function openEmbedded({
  folder,
  seed,
  ...options
}: JobStoreOptions & {
  /** The state folder of a scope. The database is in `db`, its lock in `db.lock`. */
  readonly folder: string;
  /** For tests: the file that a new database is made from; null for none. */
  readonly seed?: URL | null;
}): Promise<DatabaseJobStore> {
  // Opening the database is mostly work of other threads.
  Queues.preload();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await FolderLock.take(folder);
  try {
    const db = path.join(folder, "db");
    const driver = new EmbeddedDriver(() => reopenFolder(db), await openFolder(db, seed));
    return await start("embedded", driver, options, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens the job store in a PostgreSQL database, which any number of processes can share. With a state folder, only one
 * process at a time can have that folder: a second one would end the agents of the first as left behind.
 */
export async function openPostgres({
  url,
  folder,
  ...options
}: JobStoreOptions & {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** The state folder of a scope on this machine. */
  readonly folder?: string;
}): Promise<DatabaseJobStore> {
  if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = folder === undefined ? undefined : await FolderLock.take(folder);
  try {
    return await start("postgres", await PostgresDriver.open(url), options, () => lock?.release());
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function start(
  backend: "embedded" | "postgres",
  driver: Driver,
  { warn = () => {}, clock }: JobStoreOptions,
  unlock: () => void,
): Promise<DatabaseJobStore> {
  const { database, queues } = await prepare(backend, driver, { warn, clock });
  return new DatabaseJobStore({ backend, database, queues, wake: new Wake() }, { warn, unlock });
}
