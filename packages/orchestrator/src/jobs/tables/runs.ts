import type { RunInfo } from "../../domain/claim.ts";
import type { RunTotals } from "../../domain/outcome.ts";
import type { PastRun } from "../../domain/snapshot.ts";
import { NO_TOKENS, type Tokens } from "../../domain/tokens.ts";
import type { Row, Transaction } from "../database/database.ts";
import type { ClaimRow } from "./claims.ts";
import {
  bounded,
  integer,
  issueKey,
  NOW,
  numberOf,
  optionalBounded,
  optionalInteger,
  optionalNumber,
  optionalText,
  textOf,
  timeOf,
  timeValue,
  tokenValues,
  tokensOf,
} from "./values.ts";

type Query = Pick<Transaction, "query">;

/** How a run ended, for the record. */
export interface RunEnd {
  readonly outcome: string;
  readonly message: string | null;
  readonly totals: RunTotals;
}

export async function insertRun(
  tx: Query,
  scope: string,
  row: ClaimRow,
  run: RunInfo,
  end: RunEnd,
): Promise<void> {
  const { totals } = end;
  await tx.query(
    `INSERT INTO codexwright.runs
       (run_id, scope, issue_id, identifier, attempt, host, started_at, ended_at, outcome, message,
        input_tokens, cached_input_tokens, output_tokens, total_tokens, turns, thread_id, workspace_path, model,
        checkpoint_before, checkpoint_after)
     VALUES ($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, ${NOW}), coalesce($8::timestamptz, ${NOW}), $9, $10,
       $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     ON CONFLICT (run_id) DO NOTHING`,
    [
      run.runId,
      scope,
      row.issueKey,
      row.claim.issue.identifier,
      optionalInteger(row.claim.attempt),
      run.host,
      timeValue(totals.startedAt),
      timeValue(totals.endedAt),
      bounded(end.outcome, 200),
      optionalBounded(end.message, 4096),
      ...tokenValues(totals.tokens),
      integer(totals.turns),
      totals.threadId,
      totals.workspacePath,
      totals.model,
      totals.checkpoints.before,
      totals.checkpoints.after,
    ],
  );
}

export async function runsOf(
  db: Query,
  scope: string,
  most: number,
  issueId: string | null = null,
): Promise<PastRun[]> {
  const rows = await db.query(
    `SELECT * FROM codexwright.runs WHERE scope = $1 AND ($2::text IS NULL OR issue_id = $2)
     ORDER BY nr DESC LIMIT $3`,
    [scope, issueId === null ? null : issueKey(issueId), integer(most)],
  );
  return rows.map(pastRun);
}

function pastRun(row: Row): PastRun {
  return {
    runId: textOf(row, "run_id"),
    attempt: optionalNumber(row, "attempt"),
    host: textOf(row, "host"),
    startedAt: timeOf(row, "started_at"),
    endedAt: timeOf(row, "ended_at"),
    outcome: textOf(row, "outcome"),
    message: optionalText(row, "message"),
    tokens: tokensOf(row),
    turns: numberOf(row, "turns"),
    threadId: optionalText(row, "thread_id"),
    workspacePath: optionalText(row, "workspace_path"),
    model: optionalText(row, "model"),
    checkpoints: {
      before: optionalText(row, "checkpoint_before"),
      after: optionalText(row, "checkpoint_after"),
    },
  };
}

/** The results of earlier claims of an issue. */
export interface Remains {
  readonly spent: Tokens;
  /** The host that still has the workspace. */
  readonly host: string | null;
  readonly workspacePath: string | null;
  readonly identifier: string | null;
}

export async function remainsOf(
  db: Query,
  scope: string,
  issueIds: readonly string[],
): Promise<(issueId: string) => Remains> {
  const rows = await db.query(
    `SELECT issue_id, sum(input_tokens) AS input_tokens, sum(cached_input_tokens) AS cached_input_tokens,
       sum(output_tokens) AS output_tokens, sum(total_tokens) AS total_tokens,
       max(nr) FILTER (WHERE workspace_path IS NOT NULL AND NOT cleaned) AS last
     FROM codexwright.runs WHERE scope = $1 AND issue_id = ANY($2::text[]) GROUP BY issue_id`,
    [scope, issueIds.map(issueKey)],
  );
  const last = await db.query("SELECT * FROM codexwright.runs WHERE nr = ANY($1::bigint[])", [
    rows.flatMap((row) => optionalText(row, "last") ?? []),
  ]);
  const spent = new Map(rows.map((row) => [textOf(row, "issue_id"), tokensOf(row)]));
  const kept = new Map(last.map((row) => [textOf(row, "issue_id"), row]));
  return (issueId) => {
    const row = kept.get(issueKey(issueId)) ?? {};
    return {
      spent: spent.get(issueKey(issueId)) ?? NO_TOKENS,
      host: optionalText(row, "host"),
      workspacePath: optionalText(row, "workspace_path"),
      identifier: optionalText(row, "identifier"),
    };
  };
}

/** Remembers that the workspace of an issue is going to be removed. */
export async function setCleaned(tx: Query, scope: string, issueId: string): Promise<void> {
  await tx.query(
    "UPDATE codexwright.runs SET cleaned = true WHERE scope = $1 AND issue_id = $2 AND NOT cleaned",
    [scope, issueKey(issueId)],
  );
}
