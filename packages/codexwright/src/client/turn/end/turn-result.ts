import type { ThreadItem, Turn as WireTurn, TurnPlanStep } from "../../../protocol/index.ts";
import type { TurnUsage } from "../../state/index.ts";

/** What a completed turn amounts to. */
export interface TurnResult<T = undefined> {
  /** The turn as its last event gave it. Its own `items` are at most the final message: see `items` here. */
  readonly turn: WireTurn;
  /** Every completed item of the turn, in the order they first appeared. */
  readonly items: readonly ThreadItem[];
  /** The final answer, or "" if there was none. */
  readonly agentMessage: string;
  /** The unified diff of all file changes of the turn. */
  readonly diff?: string;
  readonly plan?: readonly TurnPlanStep[];
  /** This turn's own tokens, not the thread's. */
  readonly usage?: TurnUsage;
  readonly durationMs: number;
  /** What the final answer parsed to, where an `output` schema was given. */
  readonly output: T;
  /** Whether the server's own terminal event ended the turn, or its state was read back. */
  readonly source: "server" | "reconciled";
}

/** A `TurnResult` whose list of items is the caller's own. */
export interface CompletedTurn extends Omit<TurnResult, "items"> {
  items: ThreadItem[];
}

/** The result with a list of items that is the caller's own. */
export function ownItems(result: TurnResult): CompletedTurn {
  return { ...result, items: [...result.items] };
}
