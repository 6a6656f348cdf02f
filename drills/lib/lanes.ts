/**
 * Runs the jobs with limited parallelism. Rejects with the first failure after all started jobs have ended.
 */
export async function inLanes<T>(
  atOnce: number,
  jobs: readonly T[],
  job: (each: T) => Promise<void>,
): Promise<void> {
  const rest = [...jobs];
  const lane = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await job(next);
  };
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const outcome of lanes) if (outcome.status === "rejected") throw outcome.reason;
}
