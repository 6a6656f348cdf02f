import type { BlockReason, Claim, ClaimFacts, RetryKind, RunInfo } from "../../domain/claim.ts";
import type { Issue } from "../../domain/issue.ts";
import type { Answered } from "../../domain/orders.ts";
import type { RunOrder } from "../port.ts";
import type { Row, Transaction } from "../database/database.ts";
import type { StoredIssue } from "./issues.ts";
import {
  issueKey,
  jsonOf,
  jsonValue,
  NOW,
  numberOf,
  optionalBounded,
  optionalInteger,
  integer,
  optionalNumber,
  optionalText,
  optionalTime,
  textOf,
  timeOf,
  tokenValues,
  tokensOf,
} from "./values.ts";

type Query = Pick<Transaction, "query">;

/** The row of a claim: what everybody sees, and what only the job store needs. */
export interface ClaimRow {
  readonly claim: Claim;
  readonly claimId: string;
  readonly issueKey: string;
  readonly fingerprint: string;
  readonly json: string;
  readonly queue: string | null;
  readonly job: string | null;
  readonly answered: Answered | null;
  readonly order: RunOrder | null;
  readonly workflowVersion: string;
}

/** A state with the columns that it needs. The others are null. */
export type Place =
  | {
      readonly state: "queued";
      readonly queue: string;
      readonly job: string;
      readonly workflowVersion?: string;
    }
  | { readonly state: "running"; readonly queue: string; readonly job: string; readonly run: RunInfo }
  | { readonly state: "retrying"; readonly queue: string; readonly job: string; readonly delayMs: number }
  | { readonly state: "blocked"; readonly reason: BlockReason };

/** The fields of a claim that change with its place. */
export type Facts = Partial<
  Pick<
    ClaimFacts,
    | "attempt"
    | "retryKind"
    | "lastError"
    | "failures"
    | "sessions"
    | "spent"
    | "host"
    | "workspacePath"
    | "threadId"
  >
> & { readonly answered?: Answered | null };

export function claimRow(row: Row): ClaimRow {
  const issue = jsonOf(row, "issue") as Issue;
  const facts: ClaimFacts = {
    issueId: issue.id,
    issue,
    attempt: optionalNumber(row, "attempt"),
    retryKind: optionalText(row, "retry_kind") as RetryKind | null,
    lastError: optionalText(row, "last_error"),
    failures: numberOf(row, "failures"),
    sessions: numberOf(row, "sessions"),
    spent: tokensOf(row),
    host: optionalText(row, "host"),
    workspacePath: optionalText(row, "workspace_path"),
    threadId: optionalText(row, "thread_id"),
    claimedAt: timeOf(row, "claimed_at"),
  };
  return {
    claim: withState(facts, row),
    claimId: textOf(row, "claim_id"),
    issueKey: textOf(row, "issue_id"),
    fingerprint: textOf(row, "fingerprint"),
    json: textOf(row, "issue"),
    queue: optionalText(row, "queue"),
    job: optionalText(row, "job"),
    answered: jsonOf(row, "answered") as Answered | null,
    order: jsonOf(row, "run_order") as RunOrder | null,
    workflowVersion: textOf(row, "workflow_version"),
  };
}

function withState(facts: ClaimFacts, row: Row): Claim {
  const since = timeOf(row, "since");
  switch (textOf(row, "state")) {
    case "queued":
      return { ...facts, state: "queued", since };
    case "running":
      return { ...facts, state: "running", run: jsonOf(row, "run") as RunInfo };
    case "retrying":
      return { ...facts, state: "retrying", dueAt: optionalTime(row, "due_at") ?? since };
    default:
      return { ...facts, state: "blocked", reason: jsonOf(row, "reason") as BlockReason, since };
  }
}

/** Inserts a claim. Returns false if the issue is claimed already. */
export async function insertClaim(
  tx: Query,
  claim: {
    readonly scope: string;
    readonly claimId: string;
    readonly issue: Issue;
    readonly stored: StoredIssue;
    readonly workflowVersion: string;
    readonly queue: string;
    readonly job: string;
    readonly facts: Pick<ClaimFacts, "spent" | "host" | "workspacePath">;
  },
): Promise<boolean> {
  const { stored, facts } = claim;
  const rows = await tx.query(
    `INSERT INTO codexwright.claims
       (scope, issue_id, claim_id, issue, issue_state, fingerprint, state, queue, job, workflow_version,
        host, workspace_path, input_tokens, cached_input_tokens, output_tokens, total_tokens, claimed_at, since)
     VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, $8, $9, $10, $11, $12, $13, $14, $15, ${NOW}, ${NOW})
     ON CONFLICT (scope, issue_id) DO NOTHING RETURNING claim_id`,
    [
      claim.scope,
      issueKey(claim.issue.id),
      claim.claimId,
      stored.json,
      stored.state,
      stored.fingerprint,
      claim.queue,
      claim.job,
      claim.workflowVersion,
      facts.host,
      facts.workspacePath,
      ...tokenValues(facts.spent),
    ],
  );
  return rows.length === 1;
}

/** Moves a claim. Facts that are not named stay; the orders of the last run, and its fields, go. */
export async function moveClaim(tx: Query, row: ClaimRow, place: Place, facts: Facts = {}): Promise<void> {
  const now = { ...row.claim, answered: row.answered, ...facts };
  const run = place.state === "running" ? place.run : null;
  const isBlocked = place.state === "blocked";
  await tx.query(
    `UPDATE codexwright.claims SET state = $2, queue = $3, job = $4, run_id = $5, run = $6, reason = $7,
       due_at = CASE WHEN $8::bigint IS NULL THEN NULL ELSE ${NOW} + $8::bigint * interval '1 millisecond' END,
       attempt = $9, retry_kind = $10, last_error = $11, failures = $12, sessions = $13,
       host = $14, workspace_path = $15, thread_id = $16, answered = $17,
       input_tokens = $18, cached_input_tokens = $19, output_tokens = $20, total_tokens = $21,
       workflow_version = coalesce($22, workflow_version), run_order = NULL, since = ${NOW}
     WHERE claim_id = $1`,
    [
      row.claimId,
      place.state,
      isBlocked ? null : place.queue,
      isBlocked ? null : place.job,
      run?.runId ?? null,
      jsonValue(run),
      isBlocked ? jsonValue(place.reason) : null,
      place.state === "retrying" ? place.delayMs : null,
      optionalInteger(now.attempt),
      now.retryKind,
      optionalBounded(now.lastError, 4096),
      integer(now.failures),
      integer(now.sessions),
      now.host,
      now.workspacePath,
      now.threadId,
      jsonValue(now.answered),
      ...tokenValues(now.spent),
      place.state === "queued" ? (place.workflowVersion ?? null) : null,
    ],
  );
}

export async function setIssue(tx: Query, row: ClaimRow, stored: StoredIssue): Promise<void> {
  await tx.query(
    "UPDATE codexwright.claims SET issue = $2, issue_state = $3, fingerprint = $4 WHERE claim_id = $1",
    [row.claimId, stored.json, stored.state, stored.fingerprint],
  );
}

export async function setRun(
  tx: Query,
  row: ClaimRow,
  run: RunInfo,
  workspacePath: string | null,
): Promise<void> {
  await tx.query(
    "UPDATE codexwright.claims SET run = $2, workspace_path = coalesce($3, workspace_path) WHERE claim_id = $1",
    [row.claimId, jsonValue(run), workspacePath],
  );
}

export async function setOrder(tx: Query, row: ClaimRow, order: RunOrder): Promise<void> {
  await tx.query("UPDATE codexwright.claims SET run_order = $2 WHERE claim_id = $1", [
    row.claimId,
    jsonValue(order),
  ]);
}

export async function deleteClaim(tx: Query, row: ClaimRow): Promise<void> {
  await tx.query("DELETE FROM codexwright.claims WHERE claim_id = $1", [row.claimId]);
}

export async function claimOf(db: Query, scope: string, issueId: string): Promise<ClaimRow | undefined> {
  const [row] = await db.query("SELECT * FROM codexwright.claims WHERE scope = $1 AND issue_id = $2", [
    scope,
    issueKey(issueId),
  ]);
  return row && claimRow(row);
}

export async function claimsOf(db: Query, scope: string, issueIds: readonly string[]): Promise<ClaimRow[]> {
  const rows = await db.query(
    "SELECT * FROM codexwright.claims WHERE scope = $1 AND issue_id = ANY($2::text[])",
    [scope, issueIds.map(issueKey)],
  );
  return rows.map(claimRow);
}

/** The claims of these jobs. A claim has only its present job. */
export async function claimsOfJobs(db: Query, jobs: readonly string[]): Promise<ClaimRow[]> {
  const rows = await db.query("SELECT * FROM codexwright.claims WHERE job = ANY($1::uuid[])", [jobs]);
  return rows.map(claimRow);
}

/** The scope of the claim that has this job. */
export async function scopeOfJob(db: Query, job: string): Promise<string | undefined> {
  const [row] = await db.query("SELECT scope FROM codexwright.claims WHERE job = $1", [job]);
  return row && textOf(row, "scope");
}

/** The claim of a run that goes on, locked. */
export async function claimOfRun(tx: Query, runId: string): Promise<ClaimRow | undefined> {
  const [row] = await tx.query("SELECT * FROM codexwright.claims WHERE run_id = $1 FOR UPDATE", [runId]);
  return row && claimRow(row);
}

/** The orders for these runs, by run. */
export async function ordersOf(db: Query, runIds: readonly string[]): Promise<Map<string, RunOrder>> {
  const rows = await db.query(
    "SELECT run_id, run_order FROM codexwright.claims WHERE run_id = ANY($1::uuid[]) AND run_order IS NOT NULL",
    [runIds],
  );
  return new Map(rows.map((row) => [textOf(row, "run_id"), jsonOf(row, "run_order") as RunOrder]));
}

export async function allClaims(db: Query, scope: string): Promise<ClaimRow[]> {
  const rows = await db.query(
    "SELECT * FROM codexwright.claims WHERE scope = $1 ORDER BY claimed_at, issue_id",
    [scope],
  );
  return rows.map(claimRow);
}

/** Counts the claims that have a slot, by normalized state. */
export async function usedSlots(tx: Query, scope: string): Promise<Map<string, number>> {
  const rows = await tx.query(
    `SELECT issue_state, count(*) AS n FROM codexwright.claims
     WHERE scope = $1 AND state IN ('queued', 'running') GROUP BY issue_state`,
    [scope],
  );
  return new Map(rows.map((row) => [textOf(row, "issue_state"), numberOf(row, "n")]));
}

/** The claims whose job waits on a host that was not seen for `seconds`. */
export async function claimsOfDeadHosts(
  db: Query,
  seconds: number,
): Promise<readonly { readonly scope: string; readonly claim: ClaimRow }[]> {
  const rows = await db.query(
    `SELECT c.* FROM codexwright.claims c JOIN codexwright.hosts h ON h.name = c.host
     WHERE c.state IN ('queued', 'running') AND h.seen_at < ${NOW} - $1::integer * interval '1 second'`,
    [seconds],
  );
  return rows.map((row) => ({ scope: textOf(row, "scope"), claim: claimRow(row) }));
}
