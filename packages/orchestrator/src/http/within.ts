import { Refusal } from "./refusal.ts";

/** Waits for work at most this long. The signal aborts when the time is over. */
export async function within<T>(
  ms: number,
  what: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const refusal = new Refusal(503, "timeout", `${what} took longer than ${ms} ms`);
      abort.abort(refusal);
      reject(refusal);
    }, ms);
  });
  try {
    return await Promise.race([work(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
