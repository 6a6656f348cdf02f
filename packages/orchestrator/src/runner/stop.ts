import type { StopReason } from "../domain/outcome.ts";

/** The reason of an aborted run. */
export class RunStop extends Error {
  readonly why: StopReason;
  readonly by: string | null;
  readonly reason: string | null;

  constructor(why: StopReason, by: string | null = null, reason: string | null = null) {
    super(`the run was stopped: ${why}`);
    this.why = why;
    this.by = by;
    this.reason = reason;
  }
}
