/** What the schedule needs to know of a piece of work. */
export interface Schedulable {
  /** Runs while nothing else does: after everything before it, and before everything after it. */
  readonly alone?: boolean;
}

/**
 * Starts work in its order, at most so many pieces at once, and returns the results in that order. An error does not keep
 * the rest from running: the schedule rejects with the first one when everything has ended.
 */
export async function schedule<Work extends Schedulable, Result>(
  works: readonly Work[],
  atOnce: number,
  run: (work: Work) => Promise<Result>,
): Promise<Result[]> {
  const results: Promise<Result>[] = [];
  const running = new Set<Promise<unknown>>();
  for (const work of works) {
    const most = work.alone ? 1 : atOnce;
    while (running.size >= most) await Promise.race(running);
    const result = run(work);
    results.push(result);
    const forget = (): void => void running.delete(ended);
    const ended: Promise<void> = result.then(forget, forget);
    running.add(ended);
    if (work.alone) await ended;
  }
  await Promise.all(running);
  return await Promise.all(results);
}
