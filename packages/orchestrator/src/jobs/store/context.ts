import type { NewFleetEvent } from "../../domain/events.ts";
import type { Queues } from "../boss/queues.ts";
import type { Database, Transaction } from "../database/database.ts";
import { insertEvents } from "../tables/events.ts";
import { lockScope, type ScopeRow } from "../tables/scopes.ts";
import type { Wake } from "./wake.ts";

/** The objects that the parts of the job store share. */
export interface Context {
  readonly backend: "embedded" | "postgres";
  readonly database: Database;
  readonly queues: Queues;
  /** Wakes readers of events. */
  readonly wake: Wake;
}

/** A transaction that changes claims of one scope. */
export interface Change {
  readonly tx: Transaction;
  readonly scope: string;
  readonly row: ScopeRow;
  /** Stores an event at the end of the transaction. */
  readonly emit: (event: NewFleetEvent) => void;
}

/** Changes claims of a scope, in one transaction that has the scope for itself. */
export async function change<T>(
  { database, wake }: Context,
  scope: string,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const result = await database.transaction(async (tx) => {
    const events: NewFleetEvent[] = [];
    const row = await lockScope(tx, scope);
    const value = await work({ tx, scope, row, emit: (event) => void events.push(event) });
    await insertEvents(tx, scope, events);
    return { value, hasEvents: events.length > 0 };
  });
  if (result.hasEvents) wake.now();
  return result.value;
}

/** The fields of an event that name the issue. */
export function about(issue: { readonly id: string; readonly identifier: string }): {
  issueId: string;
  identifier: string;
} {
  return { issueId: issue.id, identifier: issue.identifier };
}

/** The longest delay of a retry. */
const LONGEST_DELAY_MS = 365 * 86_400_000;

export function delay(ms: number): number {
  return Number.isFinite(ms) ? Math.min(Math.max(Math.trunc(ms), 0), LONGEST_DELAY_MS) : 0;
}
