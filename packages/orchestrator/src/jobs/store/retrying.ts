import { randomUUID } from "node:crypto";
import type { BlockReason } from "../../domain/claim.ts";
import { FleetError } from "../../domain/errors.ts";
import { cleanQueue, dueQueue } from "../boss/names.ts";
import { deleteClaim, moveClaim, type ClaimRow, type Facts } from "../tables/claims.ts";
import { insertCleanup } from "../tables/hosts.ts";
import { remainsOf, setCleaned } from "../tables/runs.ts";
import { about, delay, type Change, type Context } from "./context.ts";

/** Gives a claim a retry at its time. Its last job must be gone. */
export async function retryLater(
  { queues }: Context,
  { tx, scope, emit }: Change,
  row: ClaimRow,
  retry: { readonly delayMs: number; readonly facts: Facts },
): Promise<void> {
  const job = randomUUID();
  const queue = dueQueue(scope);
  const delayMs = delay(retry.delayMs);
  await queues.add(tx, queue, { id: job, key: row.claimId, delayMs });
  const facts = { ...laterFacts(row), ...retry.facts };
  await moveClaim(tx, row, { state: "retrying", queue, job, delayMs }, facts);
  emit({
    ...about(row.claim.issue),
    event: "claim.retrying",
    message: `${row.claim.issue.identifier} runs again in ${Math.ceil(delayMs / 1000)} s (${facts.retryKind ?? "retry"})`,
    data: { delayMs, retryKind: facts.retryKind, attempt: facts.attempt },
  });
}

/** Only the first run of an issue has no attempt. A person can free a claim whose first run was interrupted. */
function laterFacts({ claim }: ClaimRow): Required<Pick<Facts, "attempt" | "retryKind">> {
  const { attempt, retryKind, threadId } = claim;
  return threadId === null
    ? { attempt, retryKind }
    : { attempt: attempt ?? 1, retryKind: retryKind ?? "continuation" };
}

export async function block(
  { tx, emit }: Change,
  row: ClaimRow,
  reason: BlockReason,
  facts: Facts = {},
): Promise<void> {
  await moveClaim(tx, row, { state: "blocked", reason }, facts);
  emit({
    ...about(row.claim.issue),
    event: "claim.blocked",
    message: `${row.claim.issue.identifier} waits for a person: ${reason.kind}`,
    data: { reason: reason.kind },
  });
}

/** Ends a claim. Its last job must be gone. */
export async function end(
  context: Context,
  changing: Change,
  row: ClaimRow,
  { why, cleanup }: { readonly why: string; readonly cleanup: boolean },
): Promise<void> {
  const { issue, host, workspacePath } = row.claim;
  await deleteClaim(changing.tx, row);
  if (cleanup)
    await clean(context, changing, {
      issueId: issue.id,
      identifier: issue.identifier,
      host,
      workspacePath,
      workflowVersion: row.workflowVersion,
    });
  changing.emit({
    ...about(issue),
    event: "claim.released",
    message: `${issue.identifier} is released: ${why}`,
    data: { cleanup },
  });
}

/**
 * Queues the removal of a workspace on the host that has it. Does nothing if no host has one. The queue exists: the
 * host made it before it took its first run.
 */
async function clean(
  { queues }: Context,
  { tx, scope }: Change,
  workspace: {
    readonly issueId: string;
    readonly identifier: string;
    readonly host: string | null;
    readonly workspacePath: string | null;
    readonly workflowVersion: string;
  },
): Promise<boolean> {
  const { host, workspacePath, identifier, workflowVersion } = workspace;
  await setCleaned(tx, scope, workspace.issueId);
  if (host === null || workspacePath === null) return false;
  const queue = cleanQueue(scope, host);
  const job = randomUUID();
  await queues.add(tx, queue, { id: job, key: job });
  await insertCleanup(tx, { job, scope, queue, identifier, workspacePath, workflowVersion });
  return true;
}

/** Queues the removal of the workspace that an issue without a claim has left. Returns false if there is none. */
export async function cleanRemains(context: Context, changing: Change, issueId: string): Promise<boolean> {
  const { host, workspacePath, identifier } = (await remainsOf(changing.tx, changing.scope, [issueId]))(
    issueId,
  );
  if (host === null || workspacePath === null || identifier === null) return false;
  const { workflowVersion } = changing.row;
  return await clean(context, changing, { issueId, identifier, host, workspacePath, workflowVersion });
}

/** Removes the job of a claim that is not running. */
export async function dropJob({ queues }: Context, { tx }: Change, row: ClaimRow): Promise<void> {
  if (row.queue !== null && row.job !== null && row.claim.state !== "running")
    await queues.remove(tx, row.queue, row.job);
}

export function stillRuns(identifier: string): FleetError {
  return new FleetError("invalid_order", `A run of ${identifier} goes on. Stop it first.`);
}
