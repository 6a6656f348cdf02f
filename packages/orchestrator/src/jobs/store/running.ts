import { randomUUID } from "node:crypto";
import type { Claim, RunInfo } from "../../domain/claim.ts";
import type { Outcome, RunTotals, Transition } from "../../domain/outcome.ts";
import { addTokens, NO_TOKENS, type Tokens } from "../../domain/tokens.ts";
import type { Json, JsonObject } from "../../domain/json.ts";
import type { Decide, Grant, Host, Renewal, RunOrder, RunReport } from "../port.ts";
import { cleanQueue, runQueue } from "../boss/names.ts";
import type { Taken } from "../boss/queues.ts";
import {
  claimOfRun,
  claimsOfJobs,
  moveClaim,
  ordersOf,
  setIssue,
  setRun,
  type ClaimRow,
} from "../tables/claims.ts";
import { boundedIssue, storedIssue } from "../tables/issues.ts";
import { insertRun } from "../tables/runs.ts";
import { addToDay, addTotals, lockScope, setRateLimits, setWaiting } from "../tables/scopes.ts";
import { bounded, timeValue } from "../tables/values.ts";
import { about, change, type Change, type Context } from "./context.ts";
import { fenceOf, held } from "./fences.ts";
import { blockIfStopped, endAsLost } from "./losing.ts";
import { block, end, retryLater } from "./retrying.ts";

/** See `JobStore.pull`. */
export async function pull(
  context: Context,
  scope: string,
  host: Host,
  { free, leaseMs }: { readonly free: number; readonly leaseMs: number },
): Promise<readonly Grant[]> {
  const { queues } = context;
  const own = runQueue(scope, host.name);
  const shared = runQueue(scope, null);
  await queues.ensure(own, shared, cleanQueue(scope, host.name));
  if (free < 1 || !(await queues.hasReady(own, shared))) return [];
  return await change(context, scope, async (changing) => {
    if (changing.row.paused !== null || changing.row.waiting !== null) return [];
    const grants: Grant[] = [];
    for (const queue of [own, shared])
      for (const job of await queues.take(changing.tx, queue, free - grants.length)) {
        const grant = await start(context, changing, { queue, job, host, leaseMs });
        if (grant !== undefined) grants.push(grant);
      }
    return grants;
  });
}

interface Start {
  readonly queue: string;
  readonly job: Taken;
  readonly host: Host;
  readonly leaseMs: number;
}

async function start(
  { queues }: Context,
  changing: Change,
  { queue, job, host, leaseMs }: Start,
): Promise<Grant | undefined> {
  const { tx, scope, emit, row: scopeRow } = changing;
  let [row] = await claimsOfJobs(tx, [job.id]);
  if (row === undefined || (row.claim.state !== "queued" && row.claim.state !== "running")) {
    await queues.finish(tx, queue, job);
    return undefined;
  }
  // The lease of the last run is over, and its worker has not settled it.
  if (row.claim.state === "running") {
    row = await endAsLost(changing, row);
    if (row.order?.kind === "stop") {
      await queues.finish(tx, queue, job);
      await blockIfStopped(changing, row);
      return undefined;
    }
  }
  const run = newRun(host.name, scopeRow.now);
  await queues.setLease(tx, queue, job.id, leaseMs);
  // A workspace and a thread of another host are of no use here.
  const isMoved = row.claim.host !== null && row.claim.host !== host.name;
  const facts = {
    host: host.name,
    ...(isMoved ? { workspacePath: null, threadId: null, retryKind: "moved" as const } : {}),
  };
  await moveClaim(tx, row, { state: "running", queue, job: job.id, run }, facts);
  const { state: _, ...claim } = { ...row.claim, ...facts };
  emit({
    ...about(claim.issue),
    runId: run.runId,
    event: "run.started",
    message: `${claim.issue.identifier} runs on ${host.name}`,
    data: { host: host.name, attempt: claim.attempt, retryKind: claim.retryKind },
  });
  return {
    scope,
    runId: run.runId,
    fence: fenceOf(queue, job),
    claim: factsOf(claim),
    workflowVersion: row.workflowVersion,
    leaseMs,
    answered: row.answered,
  };
}

function newRun(host: string, startedAt: string): RunInfo {
  return {
    runId: randomUUID(),
    host,
    startedAt,
    phase: "PreparingWorkspace",
    threadId: null,
    turnId: null,
    sessionId: null,
    turnCount: 0,
    serverPid: null,
    lastEvent: null,
    lastMessage: null,
    lastEventAt: null,
    tokens: NO_TOKENS,
    model: null,
  };
}

function factsOf(claim: Omit<Claim, "state">): Grant["claim"] {
  const { issueId, issue, attempt, retryKind, lastError, failures, sessions, spent } = claim;
  const { host, workspacePath, threadId, claimedAt } = claim;
  return {
    issueId,
    issue,
    attempt,
    retryKind,
    lastError,
    failures,
    sessions,
    spent,
    host,
    workspacePath,
    threadId,
    claimedAt,
  };
}

/** See `JobStore.renew`. */
export async function renew({ queues, database }: Context, grants: readonly Grant[]): Promise<Renewal> {
  const all = grants.map((grant) => ({ grant, ...held(grant.fence) }));
  const ours: Grant[] = [];
  for (const queue of new Set(all.map((each) => each.queue))) {
    const entries = all.filter((each) => each.queue === queue);
    const touched = await queues.touch(
      queue,
      entries.map(({ job }) => job),
    );
    for (const { grant, job } of entries) if (touched.has(job.id)) ours.push(grant);
  }
  const orders = await ordersOf(
    database,
    ours.map(({ runId }) => runId),
  );
  const found = ours.flatMap((grant): [Grant, RunOrder][] => {
    const order = orders.get(grant.runId);
    return order === undefined ? [] : [[grant, order]];
  });
  return { held: new Set(ours), orders: new Map(found) };
}

/** See `JobStore.report`. */
export async function report({ database }: Context, grant: Grant, changed: RunReport): Promise<void> {
  await database.transaction(async (tx) => {
    const { rateLimits, workspacePath, ...fields } = changed;
    // All transactions lock the scope before its claims.
    const scope = rateLimits === undefined ? undefined : await lockScope(tx, grant.scope);
    const row = await claimOfRun(tx, grant.runId);
    if (row?.claim.state !== "running") return;
    const run: RunInfo = {
      ...row.claim.run,
      ...fields,
      lastMessage: line(fields.lastMessage, row.claim.run),
    };
    await setRun(tx, row, run, workspacePath ?? null);
    if (fields.tokens !== undefined)
      await addToDay(tx, grant.scope, more(row.claim.run.tokens, fields.tokens));
    if (scope !== undefined && rateLimits !== undefined)
      await setRateLimits(tx, grant.scope, merged(scope.rateLimits, rateLimits));
  });
}

function line(changed: string | null | undefined, { lastMessage }: RunInfo): string | null {
  if (changed === undefined) return lastMessage;
  return changed === null ? null : bounded(changed, 2048);
}

/** The tokens that were spent since the last report. */
function more(before: Tokens, after: Tokens): Tokens {
  return {
    inputTokens: Math.max(0, after.inputTokens - before.inputTokens),
    cachedInputTokens: Math.max(0, after.cachedInputTokens - before.cachedInputTokens),
    outputTokens: Math.max(0, after.outputTokens - before.outputTokens),
    totalTokens: Math.max(0, after.totalTokens - before.totalTokens),
  };
}

function merged(before: Json, after: Json): Json {
  const isObject = (value: Json): value is JsonObject =>
    value !== null && typeof value === "object" && !Array.isArray(value);
  return isObject(before) && isObject(after) ? { ...before, ...after } : after;
}

/** See `JobStore.settle`. */
export async function settle(
  context: Context,
  grant: Grant,
  {
    outcome,
    totals,
    decide,
  }: { readonly outcome: Outcome; readonly totals: RunTotals; readonly decide: Decide },
): Promise<"settled" | "fenced"> {
  const { queue, job } = held(grant.fence);
  return await change(context, grant.scope, async (changing) => {
    const { tx, scope, emit } = changing;
    if (!(await context.queues.finish(tx, queue, job))) return "fenced";
    const row = await claimOfRun(tx, grant.runId);
    if (row?.claim.state !== "running" || row.job !== job.id) return "fenced";
    const { claim } = row;
    const next = stopped(row, decide(claim, comparable(outcome), totals));
    const name = outcome.kind === "failed" ? `failed: ${outcome.code}` : outcome.kind;
    const message = "message" in outcome ? outcome.message : null;
    await insertRun(tx, scope, row, claim.run, { outcome: name, message, totals });
    await addToDay(tx, scope, more(claim.run.tokens, totals.tokens));
    await addTotals(tx, scope, totals.tokens, secondsOf(totals));
    if ((outcome.kind === "completed" || outcome.kind === "stale") && outcome.issue !== null)
      await setIssue(tx, row, storedIssue(outcome.issue));
    emit({
      ...about(claim.issue),
      runId: claim.run.runId,
      sessionId: claim.run.sessionId,
      event: "run.ended",
      message: `${claim.issue.identifier}: ${name}`,
      data: { outcome: name, turns: totals.turns, tokens: totals.tokens.totalTokens, next: next.to },
    });
    await follow(context, changing, row, { totals, next });
    return "settled";
  });
}

/** The outcome with its issue as claims have theirs, so that equal issues are equal. */
function comparable(outcome: Outcome): Outcome {
  return (outcome.kind === "completed" || outcome.kind === "stale") && outcome.issue !== null
    ? { ...outcome, issue: boundedIssue(outcome.issue) }
    : outcome;
}

/** A person ordered the run to stop, but it ended by itself first. The order holds. */
function stopped({ order }: ClaimRow, next: Transition): Transition {
  if (order?.kind !== "stop" || next.to !== "retrying") return next;
  return {
    to: "blocked",
    reason: { kind: "stopped", by: order.by, reason: order.reason },
    error: next.error,
  };
}

function secondsOf({ startedAt, endedAt }: RunTotals): number {
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

async function follow(
  context: Context,
  changing: Change,
  row: ClaimRow,
  { totals, next }: { readonly totals: RunTotals; readonly next: Transition },
): Promise<void> {
  const { claim } = row;
  const facts = {
    spent: addTokens(claim.spent, totals.tokens),
    workspacePath: totals.workspacePath ?? claim.workspacePath,
    threadId: totals.threadId ?? claim.threadId,
    answered: null,
  };
  if (next.to === "released")
    return await end(context, changing, { ...row, claim: { ...claim, ...facts } }, next);
  if (next.to === "blocked")
    return await block(changing, row, next.reason, { ...facts, lastError: next.error });
  const { delayMs, attempt, retryKind, error, failures, sessions } = next;
  const until = timeValue(next.scopeWaitsUntil);
  if (until !== null) {
    const why = error ?? "usage limit";
    await setWaiting(changing.tx, changing.scope, { until, why }, { onlyLonger: true });
    changing.emit({ event: "scope.waiting", message: `waiting until ${until}: ${why}`, data: { until } });
  }
  await retryLater(context, changing, row, {
    delayMs,
    facts: { ...facts, attempt, retryKind, lastError: error, failures, sessions },
  });
}
