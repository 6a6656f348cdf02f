import type { ServerEvent } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";

/** The error that a turn will end with, regardless of what the server reports, and the timer that enforces that end. */
export interface Verdict {
  readonly error: Error;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The turn was created and not launched yet. */
interface Waiting {
  readonly name: "waiting";
}

/** The turn occupies the thread, and the server has not answered with an id yet. */
export interface Starting {
  readonly name: "starting";
  /** Events of the thread that arrived before the id was known. */
  readonly early: ServerEvent[];
  /** The turn that was already running on the server when the start of this turn was requested. */
  activeBefore: string | undefined;
  /** Why the connection ended, if it has. The start request reports the loss, unless it was already answered. */
  lost: CloseReason | undefined;
  verdict: Verdict | undefined;
}

/** The turn has an id and has not ended. */
export interface Running {
  readonly name: "running";
  readonly id: string;
  /** Whether the server has reported anything about the turn. */
  seen: boolean;
  /** Whether an interrupt was sent and not rejected. */
  interrupted: boolean;
  verdict: Verdict | undefined;
}

/** The turn has ended, and its result is being prepared. */
interface Finishing {
  readonly name: "finishing";
  readonly id: string;
  readonly verdict: Verdict | undefined;
}

/** The turn is settled. `error` is undefined if it succeeded; `id` is undefined if the server never assigned one. */
interface Settled {
  readonly name: "settled";
  readonly id: string | undefined;
  readonly error: unknown;
}

/** The phases of a turn, in this order. A turn can settle from every phase. */
export type TurnPhase = Waiting | Starting | Running | Finishing | Settled;
