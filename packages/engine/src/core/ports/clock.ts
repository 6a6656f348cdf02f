/** Time. Tests replace it, so that they need not wait. */
export interface Clock {
  /** Milliseconds since any fixed moment. The value never decreases. */
  now(): number;
  /**
   * Calls `call` once after `ms`. Returns a function that cancels the call. If `background` is true, the wait does not
   * keep the process running.
   */
  after(ms: number, call: () => void, background?: boolean): () => void;
}
