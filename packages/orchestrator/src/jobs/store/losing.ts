import { randomUUID } from "node:crypto";
import { addTokens } from "../../domain/tokens.ts";
import type { RunInfo } from "../../domain/claim.ts";
import { dueQueue, runQueue } from "../boss/names.ts";
import {
  allClaims,
  claimOf,
  claimsOfDeadHosts,
  moveClaim,
  type ClaimRow,
  type Facts,
} from "../tables/claims.ts";
import { cleanupQueues } from "../tables/hosts.ts";
import { insertRun } from "../tables/runs.ts";
import { addTotals, endTick } from "../tables/scopes.ts";
import { about, change, type Change, type Context } from "./context.ts";
import { block, retryLater } from "./retrying.ts";

/** The error that the prompt of the next run can name. */
const LOST = "The process that ran the agent has ended or was cut off.";

/** A host that was not seen for so long loses the runs that wait for it. */
export const HOST_SECONDS = 60;

/**
 * Records that a run was lost, and returns its claim with the facts for the next run. A lost run costs an attempt, but
 * does not count as a failure: an issue is not blocked because a machine is switched off ten times.
 */
export async function endAsLost({ tx, scope, emit }: Change, row: ClaimRow): Promise<ClaimRow> {
  const { claim } = row;
  if (claim.state !== "running") return row;
  const { run } = claim;
  const totals = {
    startedAt: run.startedAt,
    endedAt: new Date().toISOString(),
    tokens: run.tokens,
    turns: run.turnCount,
    threadId: run.threadId,
    workspacePath: claim.workspacePath,
    model: run.model,
    checkpoints: { before: null, after: null },
  };
  await insertRun(tx, scope, row, run, { outcome: "lost", message: LOST, totals });
  await addTotals(tx, scope, run.tokens, secondsSince(run));
  emit({
    ...about(claim.issue),
    runId: run.runId,
    sessionId: run.sessionId,
    event: "run.lost",
    message: `${claim.issue.identifier}: the run on ${run.host} was lost`,
    data: { host: run.host },
  });
  const facts = {
    attempt: (claim.attempt ?? 0) + 1,
    retryKind: "lost",
    lastError: LOST,
    spent: addTokens(claim.spent, run.tokens),
    threadId: run.threadId ?? claim.threadId,
  } as const satisfies Facts;
  return { ...row, claim: { ...claim, ...facts } };
}

/** Blocks a claim whose run was ordered to stop before it was lost. Its last job must be gone. */
export async function blockIfStopped(changing: Change, row: ClaimRow): Promise<boolean> {
  if (row.order?.kind !== "stop") return false;
  await block(changing, row, { kind: "stopped", by: row.order.by, reason: row.order.reason });
  return true;
}

function secondsSince({ startedAt, lastEventAt }: RunInfo): number {
  const seconds = (Date.parse(lastEventAt ?? startedAt) - Date.parse(startedAt)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/** See `JobStore.requeueLost`. */
export async function requeueLost(context: Context, scope: string): Promise<number> {
  const { backend, queues } = context;
  if (backend !== "embedded") return 0;
  const due = dueQueue(scope);
  await queues.ensure(due);
  return await change(context, scope, async (changing) => {
    const { tx } = changing;
    let count = 0;
    await queues.giveBack(tx, [due, ...(await cleanupQueues(tx, scope))]);
    for (const row of await allClaims(tx, scope)) {
      if (row.claim.state !== "running" || row.queue === null || row.job === null) continue;
      // The folder is locked by this process, so the one that had the job is dead.
      await queues.remove(tx, row.queue, row.job);
      const ended = await endAsLost(changing, row);
      if (!(await blockIfStopped(changing, ended)))
        await retryLater(context, changing, ended, { delayMs: 0, facts: {} });
      count++;
    }
    await endTick(tx, scope, null);
    return count;
  });
}

/** Gives the runs that wait for a dead host to the others. Their workspaces and threads stay behind. */
export async function moveFromDeadHosts(context: Context): Promise<void> {
  for (const { scope, claim } of await claimsOfDeadHosts(context.database, HOST_SECONDS))
    await change(context, scope, (changing) => moveFromDeadHost(context, changing, claim.claim.issueId));
}

async function moveFromDeadHost({ queues }: Context, changing: Change, issueId: string): Promise<void> {
  const { tx, scope } = changing;
  let row = await claimOf(tx, scope, issueId);
  const shared = runQueue(scope, null);
  if (row === undefined || row.queue === null || row.job === null) return;
  if (row.claim.state !== "queued" && row.claim.state !== "running") return;
  // A worker that is cut off from this table may still have its lease.
  if (row.queue === shared || (await queues.isActive(tx, row.queue, row.job))) return;
  await queues.remove(tx, row.queue, row.job);
  row = await endAsLost(changing, row);
  if (await blockIfStopped(changing, row)) return;
  const job = randomUUID();
  await queues.add(tx, shared, { id: job, key: row.claimId });
  await moveClaim(
    tx,
    row,
    { state: "queued", queue: shared, job },
    { host: null, workspacePath: null, threadId: null, retryKind: "moved" },
  );
}
