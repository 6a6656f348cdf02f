import { ServerLease } from "codexwright/stdio";
import type { Runner } from "../runner/port.ts";
import { SYSTEM_CLOCK, type Clock } from "../time/index.ts";

/** The parts of a fleet that tests replace. */
export interface FleetParts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly newServerLease: (ms: number) => ServerLease;
}

export const SYSTEM_PARTS: Pick<FleetParts, "clock" | "newServerLease"> = {
  clock: SYSTEM_CLOCK,
  newServerLease: (ms) => new ServerLease(ms),
};
