import type { ServerEvent } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";

/** The error that a turn will end with, whatever the server reports, and the timer that ends it at the latest. */
export interface Verdict {
  readonly error: Error;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The turn was made and has not been launched. */
interface Waiting {
  readonly name: "waiting";
}

/** The turn has the thread, and the server has not answered with an id. */
export interface Starting {
  readonly name: "starting";
  /** Events of the thread that came before the id is known. */
  readonly early: ServerEvent[];
  /** The turn that the server ran when this one was sent. */
  activeBefore: string | undefined;
  /** Why the connection ended, if it has; the request that starts the turn reports it, unless it was answered. */
  lost: CloseReason | undefined;
  verdict: Verdict | undefined;
}

/** The turn has an id, and its end is not known. */
export interface Running {
  readonly name: "running";
  readonly id: string;
  /** Whether the server has reported anything about the turn. */
  seen: boolean;
  /** Whether the server was asked to interrupt the turn, and has not refused. */
  interrupted: boolean;
  verdict: Verdict | undefined;
}

/** The turn has ended, and its result is being finished. */
interface Finishing {
  readonly name: "finishing";
  readonly id: string;
  readonly verdict: Verdict | undefined;
}

/** The turn has its outcome; `error` is undefined if it succeeded, `id` if the server never gave it one. */
interface Settled {
  readonly name: "settled";
  readonly id: string | undefined;
  readonly error: unknown;
}

/** The life of a turn, in this order. A turn can settle from every phase. */
export type TurnPhase = Waiting | Starting | Running | Finishing | Settled;
