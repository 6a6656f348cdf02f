import { LONGEST_MS } from "../rpc/limits.ts";
import * as is from "../rpc/options/check.ts";

/** Time, as everything that waits or stamps sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs something once the time has passed; the function it returns calls that off. */
  after(ms: number, run: () => void): () => void;
}

export const CLOCK: is.Check<Clock> = is.methods<Clock>("now", "after");

/** How long the end of something waits for what does not want to end. */
export const GRACE_MS = 5_000;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** True when the work has ended, one way or the other; false when the time has passed. */
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
