import { setTimeout as sleep } from "node:timers/promises";
import type { FleetEvent, NewFleetEvent } from "../../domain/events.ts";
import type { Issue } from "../../domain/issue.ts";
import type { Order } from "../../domain/orders.ts";
import type { Outcome, RunTotals } from "../../domain/outcome.ts";
import type { PastRun, Snapshot } from "../../domain/snapshot.ts";
import type { Tokens } from "../../domain/tokens.ts";
import type {
  Admission,
  Candidate,
  Cleanup,
  Decide,
  DueClaim,
  Grant,
  Host,
  IssueRecord,
  JobStore,
  Limits,
  Renewal,
  RunReport,
  StoredWorkflow,
} from "../port.ts";
import { cleanQueue, dueQueue, runQueue } from "../boss/names.ts";
import { cleanupsOf, deleteCleanup, putHost } from "../tables/hosts.ts";
import { insertEvents, lastEvents, trimEvents } from "../tables/events.ts";
import { runsOf } from "../tables/runs.ts";
import { putScope, setPolled, storedWorkflow, tokensOn } from "../tables/scopes.ts";
import { admit, postpone, release, takeDue } from "./admission.ts";
import type { Context } from "./context.ts";
import { fenceOf, held } from "./fences.ts";
import { moveFromDeadHosts, requeueLost } from "./losing.ts";
import { ask, pause, reconcile, refresh, wait } from "./orders.ts";
import { events, read, record } from "./reading.ts";
import { pull, renew, report, settle } from "./running.ts";
import { tick } from "./ticking.ts";

const HOUSEKEEPING_MS = 5000;
/** How many events of a database are kept. */
const KEPT_EVENTS = 100_000;
/** How long `close` waits for statements that the database does not answer. */
const CLOSE_MS = 5000;

/** The job store on a database. */
export class DatabaseJobStore implements JobStore {
  readonly #context: Context;
  readonly #closed = new AbortController();
  readonly #warn: (message: string) => void;
  readonly #unlock: () => void;
  readonly #timer: NodeJS.Timeout;
  #housekeeping: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    context: Context,
    {
      warn,
      unlock,
    }: {
      readonly warn: (message: string) => void;
      /** Called when the database is closed. */
      readonly unlock: () => void;
    },
  ) {
    this.#context = context;
    this.#warn = warn;
    this.#unlock = unlock;
    this.#timer = setInterval(() => {
      this.#housekeeping ??= this.keepHouse()
        .catch((error: unknown) => this.#warn(`job store: ${String(error)}`))
        .finally(() => (this.#housekeeping = undefined));
    }, HOUSEKEEPING_MS);
    this.#timer.unref();
  }

  get backend(): "embedded" | "postgres" {
    return this.#context.backend;
  }

  async putScope(scope: string, stored: StoredWorkflow): Promise<void> {
    const { queues, database } = this.#context;
    await queues.ensure(runQueue(scope, null), dueQueue(scope));
    await database.transaction((tx) => putScope(tx, scope, stored));
  }

  async workflow(version: string): Promise<StoredWorkflow | undefined> {
    return await storedWorkflow(this.#context.database, version);
  }

  async tick(
    scope: string,
    host: string,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<"done" | "elsewhere"> {
    return await tick(this.#context, scope, host, (signal) =>
      work(AbortSignal.any([signal, this.#closed.signal])),
    );
  }

  async polled(scope: string, { error }: { readonly error: string | null }): Promise<void> {
    await setPolled(this.#context.database, scope, error);
  }

  async admit(scope: string, wanted: readonly Candidate[], limits: Limits): Promise<readonly Admission[]> {
    return await admit(this.#context, scope, wanted, limits);
  }

  async due(scope: string, most: number): Promise<readonly DueClaim[]> {
    return await takeDue(this.#context, scope, most);
  }

  async postpone(
    claim: DueClaim,
    next: { readonly attempt: number; readonly delayMs: number; readonly error: string },
  ): Promise<void> {
    await postpone(this.#context, claim, next);
  }

  async release(
    scope: string,
    issueId: string,
    end: { readonly why: string; readonly cleanup: boolean; readonly due?: DueClaim },
  ): Promise<void> {
    await release(this.#context, scope, issueId, end);
  }

  async refresh(scope: string, issues: readonly Issue[]): Promise<void> {
    await refresh(this.#context, scope, issues);
  }

  async reconcile(
    scope: string,
    stops: readonly {
      readonly issueId: string;
      readonly why: "terminal" | "inactive" | "unroutable" | "gone";
    }[],
  ): Promise<void> {
    await reconcile(this.#context, scope, stops);
  }

  async seen(host: Host, state: { readonly running: number; readonly draining: boolean }): Promise<void> {
    await putHost(this.#context.database, host, state);
  }

  async pull(scope: string, host: Host, free: number, leaseMs: number): Promise<readonly Grant[]> {
    return await pull(this.#context, scope, host, { free, leaseMs });
  }

  async renew(grants: readonly Grant[]): Promise<Renewal> {
    return await renew(this.#context, grants);
  }

  async report(grant: Grant, changed: RunReport): Promise<void> {
    await report(this.#context, grant, changed);
  }

  async holds(grant: Grant): Promise<boolean> {
    const { queue, job } = held(grant.fence);
    return await this.#context.queues.holds(queue, job);
  }

  async settle(
    grant: Grant,
    outcome: Outcome,
    totals: RunTotals,
    decide: Decide,
  ): Promise<"settled" | "fenced"> {
    return await settle(this.#context, grant, { outcome, totals, decide });
  }

  async requeueLost(scope: string): Promise<number> {
    return await requeueLost(this.#context, scope);
  }

  async cleanups(scope: string, host: string, most: number): Promise<readonly Cleanup[]> {
    const { queues, database } = this.#context;
    const queue = cleanQueue(scope, host);
    await queues.ensure(queue);
    if (!(await queues.hasReady(queue))) return [];
    return await database.transaction(async (tx) => {
      const taken = await queues.take(tx, queue, most);
      const rows = await cleanupsOf(
        tx,
        taken.map(({ id }) => id),
      );
      return taken.flatMap((job) => {
        const row = rows.get(job.id);
        return row === undefined ? [] : [{ ...row, job: fenceOf(queue, job) }];
      });
    });
  }

  async cleaned(cleanup: Cleanup): Promise<void> {
    const { queue, job } = held(cleanup.job);
    await this.#context.database.transaction(async (tx) => {
      if (await this.#context.queues.finish(tx, queue, job)) await deleteCleanup(tx, job.id);
    });
  }

  async ask(scope: string, issueId: string, order: Order): Promise<void> {
    await ask(this.#context, scope, issueId, order);
  }

  async pause(scope: string, by: string, reason: string | null): Promise<void> {
    await pause(this.#context, scope, { by, reason, isPaused: true });
  }

  async resume(scope: string, by: string): Promise<void> {
    await pause(this.#context, scope, { by, reason: null, isPaused: false });
  }

  async wait(scope: string, until: string | null, why: string): Promise<void> {
    await wait(this.#context, scope, until, why);
  }

  async read(scope: string): Promise<Snapshot> {
    return await read(this.#context, scope);
  }

  async issue(scope: string, issueId: string): Promise<IssueRecord> {
    return await record(this.#context, scope, issueId);
  }

  async runs(scope: string, most: number): Promise<readonly PastRun[]> {
    return await runsOf(this.#context.database, scope, most);
  }

  async spentOn(scope: string, at: Date): Promise<Tokens> {
    return await tokensOn(this.#context.database, scope, at.toISOString().slice(0, 10));
  }

  async emit(scope: string, list: readonly NewFleetEvent[]): Promise<void> {
    const { database, wake } = this.#context;
    await database.transaction((tx) => insertEvents(tx, scope, list));
    wake.now();
  }

  async lastEvents(scope: string, most: number): Promise<readonly FleetEvent[]> {
    return await lastEvents(this.#context.database, scope, most);
  }

  events(scope: string, after: bigint, signal: AbortSignal): AsyncIterable<FleetEvent> {
    return events(this.#context, scope, after, AbortSignal.any([signal, this.#closed.signal]));
  }

  /** Moves runs away from dead hosts, and removes old events. Happens by itself every five seconds. */
  async keepHouse(): Promise<void> {
    await moveFromDeadHosts(this.#context);
    await trimEvents(this.#context.database, KEPT_EVENTS);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closed.abort();
    const { queues, database } = this.#context;
    // A statement that the database never answers must not keep the program alive.
    await atMost(CLOSE_MS, Promise.all([this.#housekeeping, queues.stop()]));
    await atMost(CLOSE_MS, database.close());
    this.#unlock();
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([work, sleep(ms, undefined, { signal: over.signal }).catch(() => {})]);
  } catch {
    // The database is away: there is nothing left to end.
  } finally {
    over.abort();
  }
}
