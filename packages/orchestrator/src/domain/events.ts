import type { JsonObject } from "./json.ts";

/** The names of what happens in a fleet. */
export type FleetEventName =
  | "tick.done"
  | "tick.failed"
  | "workflow.changed"
  | "workflow.invalid"
  | "claim.admitted"
  | "claim.retrying"
  | "claim.blocked"
  | "claim.released"
  | "run.started"
  | "run.phase"
  | "session.started"
  | "turn.started"
  | "turn.completed"
  | "run.ended"
  | "run.fenced"
  | "run.lost"
  | "hook.started"
  | "hook.ended"
  | "workspace.removed"
  | "order.given"
  | "scope.paused"
  | "scope.resumed"
  | "scope.waiting"
  | "warning";

/** Something that happened, as it is stored, logged and sent to pages. No prompts, no outputs, no secrets. */
export interface FleetEvent {
  /** Increases with every event of the database. */
  readonly seq: bigint;
  readonly at: string;
  readonly event: FleetEventName;
  readonly issueId: string | null;
  readonly identifier: string | null;
  readonly runId: string | null;
  readonly sessionId: string | null;
  /** One line for people. */
  readonly message: string;
  readonly data: JsonObject;
}

/** An event before the job store has numbered it. */
export type NewFleetEvent = Pick<FleetEvent, "event" | "message"> &
  Partial<Pick<FleetEvent, "issueId" | "identifier" | "runId" | "sessionId" | "data">>;
