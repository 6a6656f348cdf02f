import type { Clock } from "pg-boss";
import { Queues } from "./boss/queues.ts";
import { Database, type Driver } from "./database/database.ts";
import { BOSS_SCHEMA, checkVersion, migrate } from "./tables/schema.ts";

/** Brings the tables of a database up to date, and starts the housekeeping of the queues. */
export async function prepare(
  backend: "embedded" | "postgres",
  driver: Driver,
  { warn, clock }: { readonly warn: (message: string) => void; readonly clock?: Clock | undefined },
): Promise<{ readonly database: Database; readonly queues: Queues }> {
  const database = new Database(driver);
  const queues = await Queues.load({
    database,
    backend: backend === "embedded" ? "pglite" : "postgres",
    schema: BOSS_SCHEMA,
    warn,
    clock,
  });
  const start = async (): Promise<void> => {
    await checkVersion(database);
    await queues.start();
    await migrate(database);
  };
  try {
    await (backend === "embedded" ? start() : alone(database, start));
    return { database, queues };
  } catch (error) {
    await queues.stop().catch(() => {});
    await database.close().catch(() => {});
    throw error;
  }
}

/**
 * Makes other processes wait while this one makes the tables. pg-boss fails if two do that at the same time. The
 * transaction only holds the lock: `work` uses other connections.
 */
async function alone(database: Database, work: () => Promise<void>): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('codexwright.prepare'))");
    await work();
  });
}
