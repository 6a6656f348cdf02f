import type { HostInfo } from "../../domain/snapshot.ts";
import type { Cleanup, Host } from "../port.ts";
import type { Transaction } from "../database/database.ts";
import { integer, NOW, numberOf, textOf, timeOf } from "./values.ts";

type Query = Pick<Transaction, "query">;

export async function putHost(
  db: Query,
  host: Host,
  state: { readonly running: number; readonly draining: boolean },
): Promise<void> {
  await db.query(
    `INSERT INTO codexwright.hosts (name, slots, running, draining, seen_at) VALUES ($1, $2, $3, $4, ${NOW})
     ON CONFLICT (name) DO UPDATE SET slots = excluded.slots, running = excluded.running,
       draining = excluded.draining, seen_at = excluded.seen_at`,
    [host.name, integer(host.slots), integer(state.running), state.draining],
  );
}

/** All hosts, and whether each was seen in the last `seconds`. */
export async function hosts(
  db: Query,
  seconds: number,
): Promise<readonly { readonly info: HostInfo; readonly isAlive: boolean }[]> {
  const rows = await db.query(
    `SELECT *, seen_at >= ${NOW} - $1::integer * interval '1 second' AS alive FROM codexwright.hosts ORDER BY name`,
    [seconds],
  );
  return rows.map((row) => ({
    info: {
      name: textOf(row, "name"),
      slots: numberOf(row, "slots"),
      running: numberOf(row, "running"),
      draining: row["draining"] === true,
      seenAt: timeOf(row, "seen_at"),
    },
    isAlive: row["alive"] === true,
  }));
}

/** A workspace to remove, with the queue of its host. */
export interface CleanupRow {
  readonly job: string;
  readonly scope: string;
  readonly queue: string;
  readonly identifier: string;
  readonly workspacePath: string;
  readonly workflowVersion: string;
}

export async function insertCleanup(tx: Query, row: CleanupRow): Promise<void> {
  await tx.query(
    `INSERT INTO codexwright.cleanups (job, scope, queue, identifier, workspace_path, workflow_version)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [row.job, row.scope, row.queue, row.identifier, row.workspacePath, row.workflowVersion],
  );
}

/** The cleanups of these jobs, by job. */
export async function cleanupsOf(
  db: Query,
  jobs: readonly string[],
): Promise<Map<string, Omit<Cleanup, "job">>> {
  const rows = await db.query("SELECT * FROM codexwright.cleanups WHERE job = ANY($1::uuid[])", [jobs]);
  return new Map(
    rows.map((row) => [
      textOf(row, "job"),
      {
        scope: textOf(row, "scope"),
        identifier: textOf(row, "identifier"),
        workspacePath: textOf(row, "workspace_path"),
        workflowVersion: textOf(row, "workflow_version"),
      },
    ]),
  );
}

export async function deleteCleanup(tx: Query, job: string): Promise<void> {
  await tx.query("DELETE FROM codexwright.cleanups WHERE job = $1", [job]);
}

export async function cleanupQueues(db: Query, scope: string): Promise<string[]> {
  const rows = await db.query("SELECT DISTINCT queue FROM codexwright.cleanups WHERE scope = $1", [scope]);
  return rows.map((row) => textOf(row, "queue"));
}
