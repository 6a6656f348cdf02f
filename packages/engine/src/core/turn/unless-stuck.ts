import { offAbort, onAbort } from "codexwright/internal";

/** How long work may go on after its signal has aborted. */
const GRACE_MS = 1_000;

/**
 * Settles like the work. If the signal aborts and the work does not settle soon after, rejects with the signal's reason:
 * a port or a tool that ignores its signal cannot hold up a turn.
 */
export function unlessStuck<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const aborted = (): void => {
      timer = setTimeout(() => reject(signal.reason as Error), GRACE_MS);
    };
    const done = (): void => {
      offAbort(signal, aborted);
      clearTimeout(timer);
    };
    work.then(resolve, reject).finally(done);
    if (signal.aborted) aborted();
    else onAbort(signal, aborted);
  });
}
