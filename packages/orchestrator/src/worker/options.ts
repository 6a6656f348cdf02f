import type { ServerLease } from "codexwright/stdio";
import type { Settings } from "../domain/settings.ts";
import type { Cleanup, Grant, Host, JobStore, Scope } from "../jobs/port.ts";
import type { Clean } from "../observe/clean.ts";
import type { Journal } from "../observe/journal.ts";
import type { Telemetry } from "../observe/telemetry.ts";
import type { Runner, RunTask } from "../runner/port.ts";
import type { Clock } from "../time/clock.ts";

/** The parts of a task that belong to the workflow version of the grant. */
export type TaskParts = Pick<RunTask, "workflow" | "tracker" | "stateFolder" | "secretEnv">;

export interface WorkerOptions {
  readonly scope: Scope;
  /** The number of slots can change with the workflow. */
  readonly host: () => Host;
  readonly store: JobStore;
  readonly runner: Runner;
  /** Rejects if this host cannot work on the version, for example because a secret is missing. */
  readonly parts: (grant: Grant) => Promise<TaskParts>;
  /** The settings in force now: for the lease, and for runs whose own settings cannot be read. */
  readonly settings: () => Settings;
  /** Removes the temporary files of an issue, which the run of a dead worker has left. */
  readonly removeTemporary: (identifier: string) => Promise<void>;
  /** Removes a workspace. */
  readonly clean: (cleanup: Cleanup) => Promise<void>;
  /** The folder for `runs/` and `spool/`. */
  readonly folder: string;
  readonly newServerLease: (ms: number) => ServerLease;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly telemetry: Telemetry;
  readonly redact: Clean;
  /** A run has ended, and its issue no longer holds a slot or waits for a retry. */
  readonly freed: () => void;
}
