import type { TurnResult } from "./end/turn-result.ts";

/** How a turn begins, how long it may take, and what becomes of its result. */
export interface TurnPlan<T> {
  /**
   * Sends what starts the turn; gives the id the server answered with. `sending` is called directly before: it
   * throws where the turn has been given up meanwhile.
   */
  begin(sending: () => void): Promise<string>;
  readonly signal?: AbortSignal | undefined;
  /** Of the whole turn; 0 = none. */
  readonly timeoutMs: number;
  /** Without a sign of life of the turn; 0 = none. */
  readonly silenceMs: number;
  /** Whether the turn runs already, and may even have ended, before it is begun here. */
  readonly adopted?: boolean;
  /** Whether events are kept for an iterator that may come. */
  readonly observed: boolean;
  finish(result: TurnResult): TurnResult<T> | Promise<TurnResult<T>>;
}
