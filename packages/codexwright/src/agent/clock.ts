/** Time, as everything that waits or stamps sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once the time has passed; the function it returns calls that off. */
  after(ms: number, run: () => void): () => void;
}

/** A timer's longest delay; more would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
