/** Pauses the engine, so that clients can read and answer in between. */
export interface Pace {
  /** Pauses between two steps of a turn. */
  step(): Promise<void>;
  /** Pauses after the answer to the request that starts a turn, before the turn's first event. */
  turn(): Promise<void>;
}
