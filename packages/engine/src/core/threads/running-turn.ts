import type { JsonValue, ServerNotifications, ThreadItem, Turn, UserInput } from "codexwright/protocol";
import type { Settings } from "../records/record.ts";
import type { WireObject } from "../wire-object.ts";

/** Input of a user within a turn. */
export interface TurnInput {
  readonly input: readonly UserInput[];
  readonly clientId: string | null;
}

/** The parts of a running turn that its thread uses. `TurnRun` implements it. */
export interface RunningTurn {
  readonly id: string;
  readonly kind: "turn" | "review" | "compact" | "shell";
  /** The id that `turn/interrupt` must name. For a nested review, this is the id of the inner turn. */
  readonly activeId: string;
  /** Whether its work is done, and only its end is being stored. */
  readonly ending: boolean;
  readonly outputSchema: JsonValue | undefined;
  /** Who decides on approvals from the next request on, if that differs from the settings of the thread. */
  reviewer: Settings["approvalsReviewer"] | undefined;
  /** Starts and completes items of the turn. */
  readonly items: {
    start(item: ThreadItem): void;
    complete(item: ThreadItem): void;
  };
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Resolves after clients were notified of the turn's end. */
  readonly ended: Promise<void>;
  /** Notifies the thread's subscribers of something in this turn. */
  notify<M extends keyof ServerNotifications>(
    method: M,
    params: Omit<ServerNotifications[M], "threadId" | "turnId">,
  ): void;
  /** The answer to the request that starts a turn. */
  acknowledged(): Turn;
  /** Adds input while the turn runs. */
  steer(input: TurnInput): void;
  /** Adds an item to the conversation after the current response, and asks the model again. */
  inject(item: WireObject): void;
  /** Interrupts the turn. Resolves when it has stopped, with a function to call after the interrupt is answered. */
  interrupt(): Promise<() => void>;
  /** Interrupts the turn when there is no interrupt request to answer. Resolves when the turn has ended. */
  interruptForGood(): Promise<void>;
  /** Stops the turn because of this error, and ends it as failed. */
  fail(error: unknown): void;
  /** Stops the turn when the server closes, without notifying clients of its end. */
  abandon(): void;
}
