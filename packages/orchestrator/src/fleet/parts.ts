import { ServerLease } from "codexwright/stdio";
import type { Runner } from "../runner/port.ts";
import { issueRunner, type RunnerOptions } from "../runner/run-issue.ts";
import { SYSTEM_CLOCK, type Clock } from "../time/index.ts";

/** The parts of a fleet that tests replace. */
export interface FleetParts {
  readonly newRunner: (services: RunnerOptions) => Runner;
  readonly clock: Clock;
  readonly newServerLease: (ms: number) => ServerLease;
}

export const SYSTEM_PARTS: FleetParts = {
  newRunner: issueRunner,
  clock: SYSTEM_CLOCK,
  newServerLease: (ms) => new ServerLease(ms),
};
