import type { Claim, ClaimFacts, RunInfo } from "../domain/claim.ts";
import type { FleetEvent, NewFleetEvent } from "../domain/events.ts";
import type { Issue } from "../domain/issue.ts";
import type { Json } from "../domain/json.ts";
import type { Answered, Order } from "../domain/orders.ts";
import type { Outcome, RunTotals, Transition } from "../domain/outcome.ts";
import type { PastRun, Snapshot } from "../domain/snapshot.ts";
import type { Tokens } from "../domain/tokens.ts";

/** One WORKFLOW.md on one tracker project. */
export type Scope = string;

/** Limits of running agents. */
export interface Limits {
  readonly global: number;
  /** By normalized state. */
  readonly byState: Readonly<Record<string, number>>;
}

/** An issue that should run now: a new one, or a retry that is due. */
export interface Candidate {
  readonly issue: Issue;
  /** The retry that this candidate comes from. */
  readonly due?: DueClaim;
}

/** Why a candidate was not admitted. */
export type NotAdmitted = "claimed" | "no_slot" | "no_state_slot" | "paused" | "waiting" | "gone";

export interface Admission {
  readonly issueId: string;
  readonly refused: NotAdmitted | null;
}

/** A retry whose time has come. Only this caller has it, until it is admitted, postponed or released. */
export interface DueClaim {
  readonly claim: Claim & { readonly state: "retrying" };
  /** Names the job. Opaque. */
  readonly job: string;
}

/** The machine, or process, that works. */
export interface Host {
  readonly name: string;
  readonly slots: number;
}

/**
 * A worker's right to a run. It is valid for `leaseMs`, counted on the worker's clock from before the pull or the last
 * successful renewal was sent.
 */
export interface Grant {
  readonly scope: Scope;
  readonly runId: string;
  /** Names the job and its retry count. Opaque. */
  readonly fence: string;
  readonly claim: ClaimFacts;
  readonly workflowVersion: string;
  readonly leaseMs: number;
  /** The question that the last run ended with, if a person has answered it. */
  readonly answered: Answered | null;
}

/** The fields of a run that changed since the last report. */
export type RunReport = Partial<Omit<RunInfo, "runId" | "host" | "startedAt">> & {
  readonly workspacePath?: string;
  readonly rateLimits?: Json;
};

/** An order for a run that goes on. */
export type RunOrder =
  | { readonly kind: "stop"; readonly by: string; readonly reason: string | null }
  | { readonly kind: "reconcile"; readonly why: "terminal" | "inactive" | "unroutable" | "gone" };

export interface Renewal {
  /** The grants that are still ours. An agent without its grant must end at once. */
  readonly held: ReadonlySet<Grant>;
  readonly orders: ReadonlyMap<Grant, RunOrder>;
}

/** A workspace to remove on the host that has it. */
export interface Cleanup {
  readonly job: string;
  readonly scope: Scope;
  readonly identifier: string;
  readonly workspacePath: string;
  readonly workflowVersion: string;
}

/**
 * Decides, inside the transaction of `settle`, what becomes of the claim. Pure. The claim is as it was before the run:
 * its `spent` does not contain the tokens of `totals`.
 */
export type Decide = (
  claim: Claim & { readonly state: "running" },
  outcome: Outcome,
  totals: RunTotals,
) => Transition;

/** A stored version of a workflow: the file as written. It contains no resolved variables. */
export interface StoredWorkflow {
  readonly version: string;
  readonly path: string;
  readonly text: string;
}

/** The details of one issue. */
export interface IssueRecord {
  readonly claim: Claim | null;
  readonly runs: readonly PastRun[];
  readonly events: readonly FleetEvent[];
}

/**
 * Claims, queues, leases, totals and events of a fleet, in one database. `jobs/` is the only place that knows SQL and
 * pg-boss. Every method is one transaction unless its comment says otherwise. All reject with `FleetError` `database_unavailable` if the
 * database is away, and with `fleet_not_running` if they need a scope that `putScope` has not made known.
 *
 * The job store itself emits, in the transaction of the change: `claim.*`, `run.started`, `run.ended`, `run.lost`,
 * `order.given` and `scope.*`. All other events are emitted by those who know of them.
 */
export interface JobStore extends AsyncDisposable {
  readonly backend: "embedded" | "postgres";

  /** Makes the scope known and stores the workflow version that new runs use. */
  putScope(scope: Scope, workflow: StoredWorkflow): Promise<void>;
  workflow(version: string): Promise<StoredWorkflow | undefined>;

  /** Runs `work` unless another process ticks the scope now. The signal aborts if the right to tick is lost. */
  tick(
    scope: Scope,
    host: string,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<"done" | "elsewhere">;
  /** Records how a poll of the tracker went. */
  polled(scope: Scope, result: { readonly error: string | null }): Promise<void>;

  /**
   * Claims issues and queues their runs, as far as limits allow: locks the scope's row, counts the claims that are
   * `queued` or `running`, inserts claims and jobs. In the order of `wanted`.
   */
  admit(scope: Scope, wanted: readonly Candidate[], limits: Limits): Promise<readonly Admission[]>;
  /** Takes retries whose time has come. */
  due(scope: Scope, most: number): Promise<readonly DueClaim[]>;
  /** Gives a due retry a new time. */
  postpone(
    due: DueClaim,
    next: { readonly attempt: number; readonly delayMs: number; readonly error: string },
  ): Promise<void>;
  /**
   * Ends a claim that is not running. With `cleanup`, queues the removal of its workspace, also of one that an earlier
   * claim has left. Rejects with `invalid_order` if a run goes on.
   */
  release(
    scope: Scope,
    issueId: string,
    end: { readonly why: string; readonly cleanup: boolean; readonly due?: DueClaim },
  ): Promise<void>;
  /**
   * Stores new snapshots of claimed issues. A claim that is blocked and whose issue has changed (`updated_at`, state,
   * labels, title or description) is freed: it becomes a retry that is due now.
   */
  refresh(scope: Scope, issues: readonly Issue[]): Promise<void>;
  /** Orders running claims to stop, because of what the tracker says now. */
  reconcile(
    scope: Scope,
    stops: readonly {
      readonly issueId: string;
      readonly why: "terminal" | "inactive" | "unroutable" | "gone";
    }[],
  ): Promise<void>;

  /** Registers the host as alive. */
  seen(host: Host, state: { readonly running: number; readonly draining: boolean }): Promise<void>;
  /**
   * Takes at most `free` queued runs of the scope: those of this host first. The claims are `running` then. A scope that
   * is paused or waits gives none.
   */
  pull(scope: Scope, host: Host, free: number, leaseMs: number): Promise<readonly Grant[]>;
  renew(grants: readonly Grant[]): Promise<Renewal>;
  /** Stores progress. Does nothing if the grant is gone. */
  report(grant: Grant, report: RunReport): Promise<void>;
  /** Whether the grant still holds now. For tools that change something outside. */
  holds(grant: Grant): Promise<boolean>;
  /** Ends a run: totals, claim and next job in one transaction. `fenced`: the grant is gone, nothing was changed. */
  settle(grant: Grant, outcome: Outcome, totals: RunTotals, decide: Decide): Promise<"settled" | "fenced">;
  /**
   * Embedded, at the start: ends all runs of processes that are dead, because the folder is locked by us. Each becomes
   * a retry of kind `lost` that is due now. Their agents must have ended. The tick, the retries and the clean-ups that
   * these processes held are free again. Returns the number of runs.
   */
  requeueLost(scope: Scope): Promise<number>;

  cleanups(scope: Scope, host: string, most: number): Promise<readonly Cleanup[]>;
  cleaned(cleanup: Cleanup): Promise<void>;

  /** Rejects with `issue_not_found` or `invalid_order`. */
  ask(scope: Scope, issueId: string, order: Order): Promise<void>;
  pause(scope: Scope, by: string, reason: string | null): Promise<void>;
  resume(scope: Scope, by: string): Promise<void>;
  /** Nothing is dispatched before `until`. null ends the waiting. */
  wait(scope: Scope, until: string | null, why: string): Promise<void>;

  read(scope: Scope): Promise<Snapshot>;
  issue(scope: Scope, issueId: string): Promise<IssueRecord>;
  /** The last `most` runs that ended, newest first. */
  runs(scope: Scope, most: number): Promise<readonly PastRun[]>;
  /** Tokens of ended and running runs of the UTC day of `at`. */
  spentOn(scope: Scope, at: Date): Promise<Tokens>;

  emit(scope: Scope, events: readonly NewFleetEvent[]): Promise<void>;
  /** The last `most` events, oldest first. */
  lastEvents(scope: Scope, most: number): Promise<readonly FleetEvent[]>;
  /** Past events after `after`, then new ones as they happen, until the signal aborts. */
  events(scope: Scope, after: bigint, signal: AbortSignal): AsyncIterable<FleetEvent>;

  close(): Promise<void>;
}
