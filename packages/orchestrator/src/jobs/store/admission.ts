import { randomUUID } from "node:crypto";
import { normalized } from "../../domain/issue.ts";
import type { Admission, Candidate, DueClaim, Limits, NotAdmitted } from "../port.ts";
import { dueQueue, runQueue } from "../boss/names.ts";
import { isAboutData } from "../database/failures.ts";
import {
  claimOf,
  claimsOfJobs,
  insertClaim,
  moveClaim,
  scopeOfJob,
  setIssue,
  usedSlots,
} from "../tables/claims.ts";
import { storedIssue } from "../tables/issues.ts";
import { remainsOf, type Remains } from "../tables/runs.ts";
import { about, change, type Change, type Context } from "./context.ts";
import { fenceOf, held } from "./fences.ts";
import { cleanRemains, dropJob, end, retryLater, stillRuns } from "./retrying.ts";

/** See `JobStore.admit`. An issue that cannot be stored is refused alone. */
export async function admit(
  context: Context,
  scope: string,
  wanted: readonly Candidate[],
  limits: Limits,
): Promise<readonly Admission[]> {
  if (wanted.length === 0) return [];
  try {
    return await admitAll(context, scope, wanted, limits);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    if (wanted.length > 1) {
      const each: Admission[] = [];
      for (const candidate of wanted) each.push(...(await admit(context, scope, [candidate], limits)));
      return each;
    }
    return await refuse(context, scope, wanted, error);
  }
}

async function refuse(
  context: Context,
  scope: string,
  wanted: readonly Candidate[],
  error: unknown,
): Promise<readonly Admission[]> {
  const why = error instanceof Error ? error.message : String(error);
  await change(context, scope, async ({ emit }) => {
    for (const { issue } of wanted)
      emit({ event: "warning", message: `the issue ${issue.identifier} cannot be stored: ${why}` });
  });
  return wanted.map(({ issue }) => ({ issueId: issue.id, refused: "gone" }));
}

async function admitAll(
  context: Context,
  scope: string,
  wanted: readonly Candidate[],
  limits: Limits,
): Promise<readonly Admission[]> {
  return await change(context, scope, async (changing) => {
    const { row, tx } = changing;
    const slots = new Slots(limits, await usedSlots(tx, scope));
    const remains = await remainsOf(
      tx,
      scope,
      wanted.filter(({ due }) => due === undefined).map(({ issue }) => issue.id),
    );
    const closed: NotAdmitted | null =
      row.paused !== null ? "paused" : row.waiting !== null ? "waiting" : null;
    const admissions: Admission[] = [];
    for (const candidate of wanted) {
      const { issue, due } = candidate;
      const state = normalized(issue.state);
      const isClaimed = due === undefined && (await claimOf(tx, scope, issue.id)) !== undefined;
      let refused: NotAdmitted | null = isClaimed ? "claimed" : (closed ?? slots.refuses(state));
      refused ??=
        due === undefined
          ? await insert(context, changing, candidate, remains(issue.id))
          : await requeue(context, changing, candidate, due);
      if (refused === null) slots.take(state);
      admissions.push({ issueId: issue.id, refused });
    }
    return admissions;
  });
}

/** Counts the slots that are left. */
class Slots {
  readonly #limits: Limits;
  readonly #used: Map<string, number>;

  constructor(limits: Limits, used: Map<string, number>) {
    this.#limits = limits;
    this.#used = used;
  }

  refuses(state: string): NotAdmitted | null {
    const all = [...this.#used.values()].reduce((sum, n) => sum + n, 0);
    if (all >= this.#limits.global) return "no_slot";
    const limit = Object.hasOwn(this.#limits.byState, state) ? this.#limits.byState[state] : undefined;
    return limit !== undefined && (this.#used.get(state) ?? 0) >= limit ? "no_state_slot" : null;
  }

  take(state: string): void {
    this.#used.set(state, (this.#used.get(state) ?? 0) + 1);
  }
}

async function insert(
  { queues }: Context,
  { tx, scope, row, emit }: Change,
  { issue }: Candidate,
  { spent, host, workspacePath }: Remains,
): Promise<NotAdmitted | null> {
  const claimId = randomUUID();
  const job = randomUUID();
  const queue = runQueue(scope, host);
  const { workflowVersion } = row;
  const stored = storedIssue(issue);
  const facts = { spent, host, workspacePath };
  const isNew = await insertClaim(tx, { scope, claimId, issue, stored, workflowVersion, queue, job, facts });
  if (!isNew) return "claimed";
  await queues.add(tx, queue, { id: job, key: claimId });
  emit({ ...about(issue), event: "claim.admitted", message: `${issue.identifier} has a slot` });
  return null;
}

async function requeue(
  { queues }: Context,
  { tx, scope, row, emit }: Change,
  { issue }: Candidate,
  due: DueClaim,
): Promise<NotAdmitted | null> {
  const { queue, job } = held(due.job);
  if (!(await queues.finish(tx, queue, job))) return "gone";
  const [claim] = await claimsOfJobs(tx, [job.id]);
  if (claim === undefined || claim.claim.state !== "retrying") return "gone";
  const next = randomUUID();
  const place = { queue: runQueue(scope, claim.claim.host), job: next };
  await queues.add(tx, place.queue, { id: next, key: claim.claimId });
  await setIssue(tx, claim, storedIssue(issue));
  await moveClaim(tx, claim, { state: "queued", ...place, workflowVersion: row.workflowVersion });
  emit({ ...about(issue), event: "claim.admitted", message: `${issue.identifier} has a slot again` });
  return null;
}

/** See `JobStore.due`. */
export async function takeDue(context: Context, scope: string, most: number): Promise<readonly DueClaim[]> {
  const { queues } = context;
  const queue = dueQueue(scope);
  await queues.ensure(queue);
  if (!(await queues.hasReady(queue))) return [];
  return await change(context, scope, async ({ tx }) => {
    const taken = await queues.take(tx, queue, most);
    const claims = new Map(
      (
        await claimsOfJobs(
          tx,
          taken.map(({ id }) => id),
        )
      ).map((claim) => [claim.job, claim.claim]),
    );
    const found: DueClaim[] = [];
    for (const job of taken) {
      const claim = claims.get(job.id);
      if (claim?.state === "retrying") found.push({ claim, job: fenceOf(queue, job) });
      else await queues.finish(tx, queue, job);
    }
    return found;
  });
}

/** See `JobStore.postpone`. */
export async function postpone(
  context: Context,
  { job: name }: DueClaim,
  next: { readonly attempt: number; readonly delayMs: number; readonly error: string },
): Promise<void> {
  const { queue, job } = held(name);
  const scope = await scopeOfJob(context.database, job.id);
  if (scope === undefined) return;
  await change(context, scope, async (changing) => {
    if (!(await context.queues.finish(changing.tx, queue, job))) return;
    const [row] = await claimsOfJobs(changing.tx, [job.id]);
    if (row?.claim.state !== "retrying") return;
    const facts = { attempt: next.attempt, lastError: next.error };
    await retryLater(context, changing, row, { delayMs: next.delayMs, facts });
  });
}

/** See `JobStore.release`. */
export async function release(
  context: Context,
  scope: string,
  issueId: string,
  ending: { readonly why: string; readonly cleanup: boolean; readonly due?: DueClaim },
): Promise<void> {
  await change(context, scope, async (changing) => {
    const { tx } = changing;
    const row = await claimOf(tx, scope, issueId);
    if (row === undefined) {
      if (ending.cleanup) await cleanRemains(context, changing, issueId);
      return;
    }
    if (row.claim.state === "running") throw stillRuns(row.claim.issue.identifier);
    if (ending.due !== undefined) {
      const { queue, job } = held(ending.due.job);
      if (row.job !== job.id || !(await context.queues.finish(tx, queue, job))) return;
    } else await dropJob(context, changing, row);
    await end(context, changing, row, ending);
  });
}
