import { LONGEST_MS } from "../rpc/limits.ts";
import * as is from "../rpc/options/check.ts";

/** The clock that timers and timestamps use. Tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` after the given time. Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
}

export const CLOCK: is.Check<Clock> = is.methods<Clock>("now", "after");

/** The grace period: how long to wait for unfinished work before continuing without it. */
export const GRACE_MS = 5_000;

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** Resolves to true if the work settles within the time, and to false otherwise. */
export async function settledWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  let stop = (): void => {};
  const grace = new Promise<false>((resolve) => {
    stop = clock.after(ms, () => resolve(false));
  });
  const yes = (): true => true;
  const inTime = await Promise.race([work.then(yes, yes), grace]);
  stop();
  return inTime;
}
