import type { ServerLease } from "codexwright/stdio";
import type { RunPhase } from "../domain/claim.ts";
import type { NewFleetEvent } from "../domain/events.ts";
import type { Outcome, RunTotals } from "../domain/outcome.ts";
import type { Workflow } from "../domain/settings.ts";
import type { Tracker } from "../domain/tracker.ts";
import type { ClaimFacts } from "../domain/claim.ts";
import type { Answered } from "../domain/orders.ts";
import type { Json } from "../domain/json.ts";
import type { Tokens } from "../domain/tokens.ts";

/** A run to do. The runner never sees the job store. */
export interface RunTask {
  readonly runId: string;
  readonly claim: ClaimFacts;
  readonly workflow: Workflow;
  readonly tracker: Tracker;
  /** The question that the last run ended with, if a person has answered it. */
  readonly answered: Answered | null;
  /** The folder for checkpoints and stored sessions. It survives the run. */
  readonly stateFolder: string;
  /** Names of variables that agents and hooks must not inherit. */
  readonly secretEnv: readonly string[];
}

/** How the runner reports while it works. Calls return at once. */
export interface RunObserver {
  phase(phase: RunPhase): void;
  /** The app-server has started. Its process group must end before the lease. */
  server(server: { readonly pid: number | null }): void;
  session(session: {
    readonly threadId: string;
    readonly turnId: string | null;
    readonly turnCount: number;
  }): void;
  heard(event: string, message: string | null): void;
  /**
   * How long the app-server has been silent, reported each second while a turn runs. 0 while a question or a tool call
   * is open. A worker that finds it too long aborts the run with a `RunStop` `stalled`.
   */
  silence(ms: number): void;
  tokens(tokens: Tokens): void;
  model(model: string): void;
  rateLimits(limits: Json): void;
  workspace(path: string): void;
  event(event: NewFleetEvent): void;
}

/** The services of a worker for one run. */
export interface RunControl {
  /** Aborts with a `RunStop` as its reason. The run ends at once. */
  readonly signal: AbortSignal;
  /** Aborts when the fleet drains. The run ends as `completed` after its current turn. */
  readonly drain: AbortSignal;
  /**
   * Tokens that the scope may still spend in this UTC day, now; null: no limit. Counts all runs of the scope, the
   * running ones with what they have reported. The runner asks after every model call.
   */
  dayTokensLeft(): number | null;
  /** Called before a tool changes something outside: whether the grant still holds. */
  holds(): Promise<boolean>;
  /** The lease of the run: guards beside the app-server end it when the lease is over. The worker renews it. */
  readonly lease: ServerLease;
}

/** Does a run, from workspace to outcome. Never rejects. */
export type Runner = (
  task: RunTask,
  control: RunControl,
  observer: RunObserver,
) => Promise<{ readonly outcome: Outcome; readonly totals: RunTotals }>;
