/** Throws an error that says what an adapter does wrong. */
export function must(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem);
}

/** Returns the error of a call. Throws if the call succeeds. */
export async function failure(call: Promise<unknown>, problem: string): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await call;
  } catch (error) {
    return error;
  }
  const size = Array.isArray(answer) ? answer.length : answer instanceof Map ? answer.size : undefined;
  throw new Error(size === undefined ? problem : `${problem}; it returned ${size} issues`);
}
