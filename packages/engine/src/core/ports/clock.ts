/** Time. Tests replace it, so that they need not wait. */
export interface Clock {
  /** Milliseconds since any fixed moment. The value never decreases. */
  now(): number;
  /** Calls `call` once after `ms`. Returns a function that cancels the call. */
  after(ms: number, call: () => void): () => void;
}
