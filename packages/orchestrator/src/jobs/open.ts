import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "pg-boss";
import type { JobStore } from "./port.ts";
import { Queues } from "./boss/queues.ts";
import { Database, type Driver } from "./database/database.ts";
import { EmbeddedDriver } from "./embedded/pglite.ts";
import { FolderLock } from "./embedded/lock.ts";
import { openFolder } from "./embedded/folder.ts";
import { DatabaseJobStore } from "./store/store.ts";
import { Wake } from "./store/wake.ts";
import { BOSS_SCHEMA, checkVersion, migrate } from "./tables/schema.ts";

export interface JobStoreOptions {
  /** Receives what an operator should know. */
  readonly warn?: (message: string) => void;
  /** For tests: the time of the jobs. */
  readonly clock?: Clock;
}

/** Opens the job store in a folder of this machine. Only one process at a time can have it. */
export async function openEmbedded({
  folder,
  warn = () => {},
  clock,
}: JobStoreOptions & {
  /** The state folder of a scope. The database is in `db`, its lock in `db.lock`. */
  readonly folder: string;
}): Promise<JobStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await FolderLock.take(folder);
  try {
    const open = await openFolder(path.join(folder, "db"));
    const driver = new EmbeddedDriver(open.again, open.pglite);
    return await start("embedded", driver, { warn, clock, unlock: () => lock.release() });
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function start(
  backend: "embedded" | "postgres",
  driver: Driver,
  {
    warn,
    clock,
    unlock,
  }: {
    readonly warn: (message: string) => void;
    readonly clock: Clock | undefined;
    readonly unlock: () => void;
  },
): Promise<JobStore> {
  const database = new Database(driver);
  const queues = new Queues({
    database,
    backend: backend === "embedded" ? "pglite" : "postgres",
    schema: BOSS_SCHEMA,
    warn,
    clock,
  });
  try {
    await checkVersion(database);
    await queues.start();
    await migrate(database);
  } catch (error) {
    await queues.stop().catch(() => {});
    await database.close().catch(() => {});
    throw error;
  }
  return new DatabaseJobStore({ backend, database, queues, wake: new Wake() }, { warn, unlock });
}
