import {
  FleetError,
  NO_TOKENS,
  type Cleanup,
  type Decide,
  type Grant,
  type Host,
  type JobStore,
  type NewFleetEvent,
  type Outcome,
  type Renewal,
  type RunOrder,
  type RunReport,
  type RunTotals,
  type Transition,
} from "@codexwright/orchestrator/internal";
import { aRun, facts } from "./snapshots.ts";

export function aGrant(id: string, fields: Partial<Grant> = {}): Grant {
  return {
    scope: "scope",
    runId: `run-${id}`,
    fence: `job-${id}:0`,
    claim: facts(id),
    workflowVersion: "v1",
    leaseMs: 30_000,
    answered: null,
    ...fields,
  };
}

export interface Settled {
  readonly runId: string;
  readonly outcome: Outcome;
  readonly totals: RunTotals;
  readonly transition: Transition;
}

/** The worker's side of a job store, as a script. */
export class FakeJobs {
  readonly queued: Grant[] = [];
  readonly settled: Settled[] = [];
  readonly reports: RunReport[] = [];
  readonly events: NewFleetEvent[] = [];
  readonly calls: string[] = [];
  readonly orders = new Map<string, RunOrder>();
  readonly gone = new Set<string>();
  readonly cleanupJobs: Cleanup[] = [];
  renewals = 0;
  spent = 0;
  isAway = false;
  /** Holds renewals back until it resolves. */
  gate: Promise<void> = Promise.resolve();

  get store(): JobStore {
    const fake: Partial<JobStore> = {
      backend: "embedded",
      pull: async (_scope, _host, free) => {
        this.#reach("pull");
        return this.queued.splice(0, free);
      },
      renew: async (grants) => {
        this.#reach("renew");
        this.renewals += 1;
        const answer = this.#renewal(grants);
        await this.gate;
        return answer;
      },
      report: async (_, report) => {
        this.#reach("report");
        this.reports.push(report);
      },
      holds: async ({ runId }) => !this.gone.has(runId),
      settle: async (grant, outcome, totals, decide) => this.#settle({ grant, outcome, totals, decide }),
      seen: async (_host: Host) => this.#reach("seen"),
      spentOn: async () => ({ ...NO_TOKENS, totalTokens: this.spent }),
      cleanups: async () => {
        this.#reach("cleanups");
        return [...this.cleanupJobs];
      },
      cleaned: async (cleanup) => void this.cleanupJobs.splice(this.cleanupJobs.indexOf(cleanup), 1),
      requeueLost: async () => {
        this.#reach("requeueLost");
        return 1;
      },
      emit: async (_, events) => void this.events.push(...events),
    };
    return fake as JobStore;
  }

  #reach(call: string): void {
    this.calls.push(call);
    if (this.isAway) throw new FleetError("database_unavailable", "the database is away");
  }

  #renewal(grants: readonly Grant[]): Renewal {
    const held = new Set(grants.filter(({ runId }) => !this.gone.has(runId)));
    const orders = new Map<Grant, RunOrder>();
    for (const grant of held) {
      const order = this.orders.get(grant.runId);
      if (order) orders.set(grant, order);
    }
    return { held, orders };
  }

  #settle({
    grant,
    outcome,
    totals,
    decide,
  }: {
    grant: Grant;
    outcome: Outcome;
    totals: RunTotals;
    decide: Decide;
  }): "settled" | "fenced" {
    this.#reach("settle");
    if (this.gone.has(grant.runId)) return "fenced";
    const transition = decide({ ...grant.claim, state: "running", run: aRun() }, outcome, totals);
    this.settled.push({ runId: grant.runId, outcome, totals, transition });
    return "settled";
  }
}
