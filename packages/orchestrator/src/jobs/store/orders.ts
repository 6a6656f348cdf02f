import { FleetError } from "../../domain/errors.ts";
import type { Issue } from "../../domain/issue.ts";
import type { Order } from "../../domain/orders.ts";
import { claimOf, claimsOf, setIssue, setOrder, type ClaimRow, type Facts } from "../tables/claims.ts";
import { storedIssue } from "../tables/issues.ts";
import { setPaused, setWaiting } from "../tables/scopes.ts";
import { timeValue } from "../tables/values.ts";
import { isAboutData } from "../database/failures.ts";
import { about, change, type Change, type Context } from "./context.ts";
import { block, cleanRemains, dropJob, end, retryLater, stillRuns } from "./retrying.ts";

/** Counts from zero: a person, or the tracker, has changed something. */
const AFRESH = { failures: 0, sessions: 0 } as const satisfies Facts;

/** See `JobStore.ask`. */
export async function ask(context: Context, scope: string, issueId: string, order: Order): Promise<void> {
  await change(context, scope, async (changing) => {
    const row = await claimOf(changing.tx, scope, issueId);
    if (row === undefined) {
      if (order.kind === "clean" && (await cleanRemains(context, changing, issueId))) return;
      throw new FleetError("issue_not_found", "The issue has no claim: nothing is known about it.");
    }
    changing.emit({
      ...about(row.claim.issue),
      event: "order.given",
      message: `${order.by}: ${order.kind} ${row.claim.issue.identifier}`,
      data: { kind: order.kind, by: order.by },
    });
    await obey(context, changing, row, order);
  });
}

async function obey(context: Context, changing: Change, row: ClaimRow, order: Order): Promise<void> {
  const { claim } = row;
  const { identifier } = claim.issue;
  switch (order.kind) {
    case "stop": {
      const { by, reason } = order;
      // The worker obeys. The job stays as it is: without it, another agent could start beside the one that still runs.
      if (claim.state === "running") return await setOrder(changing.tx, row, { kind: "stop", by, reason });
      await dropJob(context, changing, row);
      return await block(changing, row, { kind: "stopped", by, reason });
    }
    case "retry":
      if (claim.state === "running" || claim.state === "queued")
        throw new FleetError("invalid_order", `${identifier} does not wait: it is ${claim.state}.`);
      await dropJob(context, changing, row);
      return await retryLater(context, changing, row, { delayMs: 0, facts: AFRESH });
    case "answer":
      if (claim.state !== "blocked" || claim.reason.kind !== "question")
        throw new FleetError("invalid_order", `${identifier} has not asked a question.`);
      return await retryLater(context, changing, row, {
        delayMs: 0,
        facts: {
          ...AFRESH,
          answered: { question: claim.reason.question, answer: order.answer },
          retryKind: "continuation",
          lastError: null,
        },
      });
    case "clean":
      if (claim.state === "running") throw stillRuns(identifier);
      await dropJob(context, changing, row);
      return await end(context, changing, row, { why: `cleaned by ${order.by}`, cleanup: true });
  }
}

/** See `JobStore.refresh`. An issue that cannot be stored keeps its last snapshot. */
export async function refresh(context: Context, scope: string, issues: readonly Issue[]): Promise<void> {
  if (issues.length === 0) return;
  await change(context, scope, async (changing) => {
    const rows = await claimsOf(
      changing.tx,
      scope,
      issues.map(({ id }) => id),
    );
    const claims = new Map(rows.map((row) => [row.claim.issueId, row]));
    for (const issue of issues) {
      const row = claims.get(issue.id);
      if (row !== undefined) await refreshOne(context, changing, row, issue);
    }
  });
}

async function refreshOne(context: Context, changing: Change, row: ClaimRow, issue: Issue): Promise<void> {
  const stored = storable(issue);
  if (stored === undefined || (stored.json === row.json && stored.fingerprint === row.fingerprint)) return;
  await setIssue(changing.tx, row, stored);
  if (row.claim.state !== "blocked" || stored.fingerprint === row.fingerprint) return;
  await retryLater(context, changing, row, { delayMs: 0, facts: AFRESH });
}

function storable(issue: Issue): ReturnType<typeof storedIssue> | undefined {
  try {
    return storedIssue(issue);
  } catch (error) {
    if (isAboutData(error)) return undefined;
    throw error;
  }
}

/** See `JobStore.reconcile`. */
export async function reconcile(
  context: Context,
  scope: string,
  stops: readonly {
    readonly issueId: string;
    readonly why: "terminal" | "inactive" | "unroutable" | "gone";
  }[],
): Promise<void> {
  if (stops.length === 0) return;
  await change(context, scope, async ({ tx }) => {
    for (const { issueId, why } of stops) {
      const row = await claimOf(tx, scope, issueId);
      // The order of a person stays.
      if (row?.claim.state !== "running" || row.order?.kind === "stop") continue;
      await setOrder(tx, row, { kind: "reconcile", why });
    }
  });
}

/** See `JobStore.pause` and `resume`. */
export async function pause(
  context: Context,
  scope: string,
  order: { readonly by: string; readonly reason: string | null; readonly isPaused: boolean },
): Promise<void> {
  const { by, reason, isPaused } = order;
  await change(context, scope, async ({ tx, row, emit }) => {
    if (!isPaused && row.paused === null) return;
    await setPaused(tx, scope, isPaused ? { by, reason, at: row.now } : null);
    const why = reason === null ? "" : `: ${reason}`;
    emit(
      isPaused
        ? { event: "scope.paused", message: `paused by ${by}${why}`, data: { by } }
        : { event: "scope.resumed", message: `resumed by ${by}`, data: { by } },
    );
  });
}

/** See `JobStore.wait`. */
export async function wait(
  context: Context,
  scope: string,
  until: string | null,
  why: string,
): Promise<void> {
  await change(context, scope, async ({ tx, row, emit }) => {
    const time = timeValue(until);
    await setWaiting(tx, scope, time === null ? null : { until: time, why });
    if (time !== null && row.waiting?.until !== time)
      emit({ event: "scope.waiting", message: `waiting until ${time}: ${why}`, data: { until: time } });
  });
}
