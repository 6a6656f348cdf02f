import type { FleetEvent, FleetEventName, NewFleetEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Row, Transaction } from "../database/database.ts";
import {
  bounded,
  integer,
  issueKey,
  jsonOf,
  jsonValue,
  NOW,
  numberOf,
  optionalBounded,
  optionalText,
  textOf,
  timeOf,
} from "./values.ts";

type Query = Pick<Transaction, "query">;

/** The most characters of the data of an event. */
const MOST_DATA = 16_384;

/**
 * Stores events, as the last step of a transaction: the row that counts them is locked until it ends. Events are
 * therefore committed in the order of their numbers, and a reader misses none.
 */
export async function insertEvents(
  tx: Query,
  scope: string,
  events: readonly NewFleetEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const [row] = await tx.query("UPDATE codexwright.meta SET seq = seq + $1 RETURNING seq", [events.length]);
  const first = numberOf(row ?? {}, "seq") - events.length + 1;
  for (const [index, event] of events.entries()) {
    const data = jsonValue(event.data ?? {}) ?? "{}";
    await tx.query(
      `INSERT INTO codexwright.events
         (seq, scope, at, event, issue_key, issue_id, identifier, run_id, session_id, message, data)
       VALUES ($1, $2, ${NOW}, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        first + index,
        scope,
        event.event,
        event.issueId === undefined || event.issueId === null ? null : issueKey(event.issueId),
        optionalBounded(event.issueId ?? null, 4096),
        optionalBounded(event.identifier ?? null, 1024),
        optionalBounded(event.runId ?? null, 1024),
        optionalBounded(event.sessionId ?? null, 1024),
        bounded(event.message, 4096),
        data.length > MOST_DATA ? "{}" : data,
      ],
    );
  }
}

export async function eventsAfter(
  db: Query,
  scope: string,
  after: bigint,
  most: number,
): Promise<FleetEvent[]> {
  const rows = await db.query(
    "SELECT * FROM codexwright.events WHERE scope = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    [scope, after.toString(), integer(most)],
  );
  return rows.map(fleetEvent);
}

/** The last events of an issue, oldest first. */
export async function eventsOfIssue(
  db: Query,
  scope: string,
  issueId: string,
  most: number,
): Promise<FleetEvent[]> {
  const rows = await db.query(
    "SELECT * FROM codexwright.events WHERE scope = $1 AND issue_key = $2 ORDER BY seq DESC LIMIT $3",
    [scope, issueKey(issueId), integer(most)],
  );
  return rows.map(fleetEvent).toReversed();
}

/** The last events of a scope, oldest first. */
export async function lastEvents(db: Query, scope: string, most: number): Promise<FleetEvent[]> {
  const rows = await db.query(
    "SELECT * FROM codexwright.events WHERE scope = $1 ORDER BY seq DESC LIMIT $2",
    [scope, integer(most)],
  );
  return rows.map(fleetEvent).toReversed();
}

/** Removes the oldest events of all scopes together. */
export async function trimEvents(db: Query, keep: number): Promise<void> {
  await db.query(
    "DELETE FROM codexwright.events WHERE seq <= (SELECT seq FROM codexwright.meta) - $1::bigint",
    [keep],
  );
}

function fleetEvent(row: Row): FleetEvent {
  return {
    seq: BigInt(textOf(row, "seq")),
    at: timeOf(row, "at"),
    event: textOf(row, "event") as FleetEventName,
    issueId: optionalText(row, "issue_id"),
    identifier: optionalText(row, "identifier"),
    runId: optionalText(row, "run_id"),
    sessionId: optionalText(row, "session_id"),
    message: textOf(row, "message"),
    data: (jsonOf(row, "data") as JsonObject | null) ?? {},
  };
}
