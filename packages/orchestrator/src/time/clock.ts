/** The time, so that tests can set it. */
export interface Clock {
  /** Milliseconds that never go back, also if the clock of the machine is set. */
  monotonic(): number;
  date(): Date;
  /** Calls back once after `ms`. Returns a function that cancels the call. */
  after(ms: number, then: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  monotonic: () => performance.now(),
  date: () => new Date(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** Settles like the promise, but rejects with `late()` after `ms`. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  clock: Clock,
  late: () => Error,
): Promise<T> {
  let cancel = (): void => {};
  const limit = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(late()));
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    cancel();
  }
}
