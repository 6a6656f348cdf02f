import type { Verdict } from "../domain/explanation.ts";
import type { Issue } from "../domain/issue.ts";
import type { Settings } from "../domain/settings.ts";
import type { Tracker } from "../domain/tracker.ts";
import type { JobStore, Scope } from "../jobs/port.ts";
import type { Journal } from "../observe/journal.ts";
import type { Telemetry } from "../observe/telemetry.ts";
import type { Situation } from "../policy/situation.ts";
import type { Clock } from "../time/index.ts";

/** The workflow in force now: the last good one. */
export interface Current {
  readonly settings: Settings;
  readonly tracker: Tracker;
}

export interface TickOptions {
  readonly scope: Scope;
  readonly host: string;
  readonly store: JobStore;
  readonly current: () => Current;
  /** Whether runs can begin now: the workflow file, the tracker's settings, the disk. */
  readonly preflight: () => Promise<readonly Verdict[]>;
  /** Removes the workspaces of issues that are done. Called once, at the start. */
  readonly removeWorkspaces: (done: readonly Issue[]) => Promise<void>;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly telemetry: Telemetry;
  /** Runs were queued, or running ones were ordered to stop. */
  readonly changed: () => void;
  readonly ticked: (report: TickReport) => void;
}

/** The result of a tick. */
export interface TickReport {
  /**
   * `held`: nothing may be dispatched. `failed`: the tracker or the database did not answer. `elsewhere`: another
   * process ticks the scope.
   */
  readonly outcome: "done" | "held" | "failed" | "elsewhere";
  /** Why it failed, or why nothing may be dispatched. */
  readonly reason: string | null;
  readonly candidates: number;
  readonly admitted: number;
  /** Whether an eligible issue waits only for a slot. */
  readonly waitsForSlot: boolean;
  readonly stopped: number;
  readonly released: number;
}

/** Reads the state that decides about runs now. */
export async function situationOf(options: TickOptions): Promise<Situation> {
  const { store, scope, current, preflight, clock } = options;
  return {
    snapshot: await store.read(scope),
    settings: current().settings,
    preflight: await preflight(),
    now: clock.date().getTime(),
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
