import { offAbort, onAbort } from "./on-abort.ts";

/** Waits for the first of these promises, but no longer than `ms`. */
export async function within(ms: number, ...promises: Promise<unknown>[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([late, ...promises]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `ms`, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      offAbort(signal, done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else onAbort(signal, done);
  });
}
