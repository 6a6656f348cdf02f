import { FleetError } from "../../domain/errors.ts";
import type { Database, Transaction } from "../database/database.ts";

/** The schema of pg-boss. Its name keeps it apart from a pg-boss that the database has already. */
export const BOSS_SCHEMA = "codexwright_jobs";

/**
 * The steps that make the tables, oldest first. A step never changes once it is released: what is new is a new step.
 * Issues, orders and the like are JSON in `text` columns, because `jsonb` refuses NUL and lone surrogates.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE codexwright.workflows (version text PRIMARY KEY, path text NOT NULL, body text NOT NULL);
  CREATE TABLE codexwright.scopes (
    scope text PRIMARY KEY,
    workflow_version text NOT NULL,
    paused text,
    waiting_until timestamptz,
    waiting_why text,
    input_tokens bigint NOT NULL DEFAULT 0,
    cached_input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    total_tokens bigint NOT NULL DEFAULT 0,
    seconds double precision NOT NULL DEFAULT 0,
    rate_limits text,
    tick_host text,
    tick_at timestamptz,
    tick_token uuid,
    tick_until timestamptz,
    polled_at timestamptz,
    poll_error text
  );
  CREATE TABLE codexwright.claims (
    scope text NOT NULL,
    issue_id text NOT NULL,
    claim_id uuid NOT NULL UNIQUE,
    issue text NOT NULL,
    issue_state text NOT NULL,
    fingerprint text NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'retrying', 'blocked')),
    attempt integer,
    retry_kind text,
    last_error text,
    failures integer NOT NULL DEFAULT 0,
    sessions integer NOT NULL DEFAULT 0,
    input_tokens bigint NOT NULL DEFAULT 0,
    cached_input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    total_tokens bigint NOT NULL DEFAULT 0,
    host text,
    workspace_path text,
    thread_id text,
    claimed_at timestamptz NOT NULL,
    since timestamptz NOT NULL,
    due_at timestamptz,
    reason text,
    answered text,
    run_order text,
    queue text,
    job uuid,
    run_id uuid,
    run text,
    workflow_version text NOT NULL,
    PRIMARY KEY (scope, issue_id),
    CHECK ((job IS NULL) = (state = 'blocked')),
    CHECK ((run_id IS NULL) = (state <> 'running'))
  );
  CREATE UNIQUE INDEX claims_job ON codexwright.claims (job);
  CREATE TABLE codexwright.runs (
    run_id uuid PRIMARY KEY,
    scope text NOT NULL,
    issue_id text NOT NULL,
    identifier text NOT NULL,
    attempt integer,
    host text NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    outcome text NOT NULL,
    message text,
    input_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    total_tokens bigint NOT NULL,
    turns integer NOT NULL,
    thread_id text,
    workspace_path text,
    model text,
    checkpoint_before text,
    checkpoint_after text,
    cleaned boolean NOT NULL DEFAULT false,
    nr bigserial
  );
  CREATE INDEX runs_issue ON codexwright.runs (scope, issue_id, nr);
  CREATE INDEX runs_scope ON codexwright.runs (scope, nr);
  CREATE TABLE codexwright.days (
    scope text NOT NULL,
    day text NOT NULL,
    input_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    total_tokens bigint NOT NULL,
    PRIMARY KEY (scope, day)
  );
  CREATE TABLE codexwright.hosts (
    name text PRIMARY KEY,
    slots integer NOT NULL,
    running integer NOT NULL,
    draining boolean NOT NULL,
    seen_at timestamptz NOT NULL
  );
  CREATE TABLE codexwright.cleanups (
    job uuid PRIMARY KEY,
    scope text NOT NULL,
    queue text NOT NULL,
    identifier text NOT NULL,
    workspace_path text NOT NULL,
    workflow_version text NOT NULL
  );
  CREATE INDEX cleanups_scope ON codexwright.cleanups (scope);
  CREATE TABLE codexwright.events (
    seq bigint PRIMARY KEY,
    scope text NOT NULL,
    at timestamptz NOT NULL,
    event text NOT NULL,
    issue_key text,
    issue_id text,
    identifier text,
    run_id text,
    session_id text,
    message text NOT NULL,
    data text NOT NULL
  );
  CREATE INDEX events_scope ON codexwright.events (scope, seq);
  CREATE INDEX events_issue ON codexwright.events (scope, issue_key, seq);
  `,
];

/** The version of the tables that this program makes. */
export const VERSION: number = STEPS.length;

/** Refuses a database that a newer program has made. Changes nothing. */
export async function checkVersion(db: Database): Promise<void> {
  const version = await versionOf(db);
  if (version > VERSION) throw tooNew(version);
}

/** Makes the tables, or brings older ones up to date. Only one process at a time does this. */
export async function migrate(db: Database): Promise<void> {
  if ((await versionOf(db)) === VERSION) return;
  await db.transaction(async (tx) => {
    await tx.executeSql(
      `CREATE SCHEMA IF NOT EXISTS codexwright;
       CREATE TABLE IF NOT EXISTS codexwright.meta (
         only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
         version integer NOT NULL,
         seq bigint NOT NULL
       );
       INSERT INTO codexwright.meta (version, seq) VALUES (0, 0) ON CONFLICT DO NOTHING;`,
    );
    const version = await versionIn(tx);
    if (version > VERSION) throw tooNew(version);
    for (const step of STEPS.slice(version)) await tx.executeSql(step);
    await tx.query("UPDATE codexwright.meta SET version = $1", [VERSION]);
  });
}

async function versionOf(db: Database): Promise<number> {
  const [row] = await db.query("SELECT to_regclass('codexwright.meta') IS NOT NULL AS exists");
  return row?.["exists"] === true ? await versionIn(db) : 0;
}

async function versionIn(db: Pick<Transaction, "query">): Promise<number> {
  const [row] = await db.query("SELECT version FROM codexwright.meta");
  return Number(row?.["version"] ?? 0);
}

function tooNew(version: number): FleetError {
  return new FleetError(
    "database_version",
    `A newer codexwright made this database (version ${version}; this one knows ${VERSION}). ` +
      "Use that version of codexwright, or another database.",
  );
}
