/** The properties of a job that affect its schedule. */
export interface Schedulable {
  /** Runs on its own: after everything before it, and before everything after it. */
  readonly alone?: boolean;
}

/**
 * Starts jobs in order, at most `atOnce` at a time, and returns the results in that order. An error does not
 * stop the rest: the schedule rejects with the first error after all jobs have ended.
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
