import { FleetError } from "../../domain/errors.ts";
import type { Pause, Snapshot } from "../../domain/snapshot.ts";
import type { Json } from "../../domain/json.ts";
import type { Tokens } from "../../domain/tokens.ts";
import type { StoredWorkflow } from "../port.ts";
import type { Row, Transaction } from "../database/database.ts";
import {
  integer,
  jsonOf,
  jsonValue,
  NOW,
  numberOf,
  optionalText,
  optionalTime,
  textOf,
  tokenValues,
  tokensOf,
} from "./values.ts";

type Query = Pick<Transaction, "query">;

/** The row of a scope. */
export interface ScopeRow {
  readonly workflowVersion: string;
  readonly paused: Pause | null;
  /** null also if the time is over. */
  readonly waiting: Snapshot["waiting"];
  readonly totals: Snapshot["totals"];
  readonly rateLimits: Json;
  readonly tick: Snapshot["tick"];
  readonly now: string;
}

const SELECT = `
  SELECT *, ${NOW} AS now, CASE WHEN waiting_until > ${NOW} THEN waiting_until END AS waits_until
  FROM codexwright.scopes WHERE scope = $1`;

export async function putScope(tx: Query, scope: string, workflow: StoredWorkflow): Promise<void> {
  await tx.query(
    "INSERT INTO codexwright.workflows (version, path, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [workflow.version, workflow.path, workflow.text],
  );
  await tx.query(
    `INSERT INTO codexwright.scopes (scope, workflow_version) VALUES ($1, $2)
     ON CONFLICT (scope) DO UPDATE SET workflow_version = excluded.workflow_version`,
    [scope, workflow.version],
  );
}

export async function storedWorkflow(db: Query, version: string): Promise<StoredWorkflow | undefined> {
  const [row] = await db.query("SELECT * FROM codexwright.workflows WHERE version = $1", [version]);
  return row && { version: textOf(row, "version"), path: textOf(row, "path"), text: textOf(row, "body") };
}

/** Locks the scope until the transaction ends. All changes of claims do this first, so that none waits for another. */
export async function lockScope(tx: Query, scope: string): Promise<ScopeRow> {
  const [row] = await tx.query(`${SELECT} FOR UPDATE`, [scope]);
  return scopeRow(row, scope);
}

export async function readScope(tx: Query, scope: string): Promise<ScopeRow> {
  const [row] = await tx.query(SELECT, [scope]);
  return scopeRow(row, scope);
}

function scopeRow(row: Row | undefined, scope: string): ScopeRow {
  if (row === undefined)
    throw new FleetError("fleet_not_running", `The database does not know the scope ${scope}.`);
  const until = optionalTime(row, "waits_until");
  return {
    workflowVersion: textOf(row, "workflow_version"),
    paused: jsonOf(row, "paused") as Pause | null,
    waiting: until === null ? null : { until, why: optionalText(row, "waiting_why") ?? "" },
    totals: { ...tokensOf(row), seconds: numberOf(row, "seconds") },
    rateLimits: jsonOf(row, "rate_limits") as Json | null,
    tick: {
      host: optionalText(row, "tick_host"),
      at: optionalTime(row, "tick_at"),
      polledAt: optionalTime(row, "polled_at"),
      error: optionalText(row, "poll_error"),
    },
    now: optionalTime(row, "now") ?? "",
  };
}

export async function setPaused(tx: Query, scope: string, pause: Pause | null): Promise<void> {
  await tx.query("UPDATE codexwright.scopes SET paused = $2 WHERE scope = $1", [scope, jsonValue(pause)]);
}

/** Lets the scope wait. With `onlyLonger`, a wait that ends later stays. */
export async function setWaiting(
  tx: Query,
  scope: string,
  wait: { readonly until: string; readonly why: string } | null,
  { onlyLonger = false }: { onlyLonger?: boolean } = {},
): Promise<void> {
  await tx.query(
    `UPDATE codexwright.scopes SET waiting_until = $2::timestamptz, waiting_why = $3
     WHERE scope = $1 AND (NOT $4::boolean OR waiting_until IS NULL OR waiting_until < $2::timestamptz)`,
    [scope, wait?.until ?? null, wait?.why ?? null, onlyLonger],
  );
}

export async function setPolled(db: Query, scope: string, error: string | null): Promise<void> {
  await db.query(
    `UPDATE codexwright.scopes
     SET poll_error = $2::text, polled_at = CASE WHEN $2::text IS NULL THEN ${NOW} ELSE polled_at END
     WHERE scope = $1`,
    [scope, error],
  );
}

export async function setRateLimits(tx: Query, scope: string, limits: Json): Promise<void> {
  await tx.query("UPDATE codexwright.scopes SET rate_limits = $2 WHERE scope = $1", [
    scope,
    jsonValue(limits),
  ]);
}

/** Adds the tokens and seconds of a run that has ended. */
export async function addTotals(tx: Query, scope: string, tokens: Tokens, seconds: number): Promise<void> {
  await tx.query(
    `UPDATE codexwright.scopes SET input_tokens = input_tokens + $2, cached_input_tokens = cached_input_tokens + $3,
       output_tokens = output_tokens + $4, total_tokens = total_tokens + $5, seconds = seconds + $6
     WHERE scope = $1`,
    [scope, ...tokenValues(tokens), Number.isFinite(seconds) ? Math.max(0, seconds) : 0],
  );
}

/** Adds tokens to the UTC day of now. */
export async function addToDay(tx: Query, scope: string, tokens: Tokens): Promise<void> {
  await tx.query(
    `INSERT INTO codexwright.days AS d
       (scope, day, input_tokens, cached_input_tokens, output_tokens, total_tokens)
     VALUES ($1, to_char(${NOW} AT TIME ZONE 'UTC', 'YYYY-MM-DD'), $2, $3, $4, $5)
     ON CONFLICT (scope, day) DO UPDATE SET
       input_tokens = d.input_tokens + excluded.input_tokens,
       cached_input_tokens = d.cached_input_tokens + excluded.cached_input_tokens,
       output_tokens = d.output_tokens + excluded.output_tokens,
       total_tokens = d.total_tokens + excluded.total_tokens`,
    [scope, ...tokenValues(tokens)],
  );
}

export async function tokensOn(db: Query, scope: string, day: string): Promise<Tokens> {
  const [row] = await db.query("SELECT * FROM codexwright.days WHERE scope = $1 AND day = $2", [scope, day]);
  return tokensOf(row ?? {});
}

/** Takes the right to tick for `leaseMs`, or renews it. Returns false if another process has it. */
export async function takeTick(
  db: Query,
  tick: { readonly scope: string; readonly host: string; readonly token: string; readonly leaseMs: number },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE codexwright.scopes
     SET tick_host = $2, tick_token = $3::uuid, tick_until = ${NOW} + $4::integer * interval '1 millisecond',
         tick_at = CASE WHEN tick_token = $3::uuid THEN tick_at ELSE ${NOW} END
     WHERE scope = $1 AND (tick_token = $3::uuid OR tick_until IS NULL OR tick_until < ${NOW})
     RETURNING scope`,
    [tick.scope, tick.host, tick.token, integer(tick.leaseMs)],
  );
  return rows.length === 1;
}

/** Gives up the right to tick: the right of `token`, or of any process if it is null. */
export async function endTick(db: Query, scope: string, token: string | null): Promise<void> {
  await db.query(
    `UPDATE codexwright.scopes SET tick_token = NULL, tick_until = NULL
     WHERE scope = $1 AND ($2::uuid IS NULL OR tick_token = $2::uuid)`,
    [scope, token],
  );
}
