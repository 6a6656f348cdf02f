import type { TurnResult } from "./end/turn-result.ts";

/** How a turn is started, its limits, and how its result is finished. */
export interface TurnPlan<T> {
  /**
   * Sends the request that starts the turn; resolves with the id from the answer. Must call `sending` immediately
   * before the request. `sending` throws if the turn was given up.
   */
  begin(sending: () => void): Promise<string>;
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the whole turn; 0 = no limit. */
  readonly timeoutMs: number;
  /** How long the turn may be silent; 0 = no limit. */
  readonly silenceMs: number;
  /** Whether the turn was already started elsewhere, and may even have ended. */
  readonly adopted?: boolean;
  /** Whether to keep events for an iterator that is created later. */
  readonly observed: boolean;
  finish(result: TurnResult): TurnResult<T> | Promise<TurnResult<T>>;
}
