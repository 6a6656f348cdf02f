import type { ThreadItem, Turn as WireTurn, TurnPlanStep } from "../../../protocol/index.ts";
import type { TurnUsage } from "../../state/index.ts";

/** The result of a completed turn. */
export interface TurnResult<T = undefined> {
  /** The turn from its last event. Its own `items` contain at most the final message: use `items` of this result. */
  readonly turn: WireTurn;
  /** All completed items of the turn, in order of first appearance. */
  readonly items: readonly ThreadItem[];
  /** The final answer, or "" if there was none. */
  readonly agentMessage: string;
  /** The unified diff of all file changes of the turn. */
  readonly diff?: string;
  readonly plan?: readonly TurnPlanStep[];
  /** The tokens of this turn, not of the thread. */
  readonly usage?: TurnUsage;
  readonly durationMs: number;
  /** The parsed final answer, if an `output` schema was given. */
  readonly output: T;
  /** `server`: the terminal event ended the turn; `reconciled`: the event was lost and the turn was read back. */
  readonly source: "server" | "reconciled";
}

/** A `TurnResult` whose list of items the caller may change. */
export interface CompletedTurn extends Omit<TurnResult, "items"> {
  items: ThreadItem[];
}

/** Copies the list of items for the caller. */
export function ownItems(result: TurnResult): CompletedTurn {
  return { ...result, items: [...result.items] };
}
