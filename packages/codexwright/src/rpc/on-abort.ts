import { AbortedError, type Delivery } from "./errors.ts";

const watches = new WeakMap<AbortSignal, Watch>();

interface Watch {
  readonly calls: Set<() => void>;
  readonly onAbort: () => void;
}

/**
 * Calls back when the signal aborts, until {@link offAbort}. There is one listener for each signal, however many wait
 * for it: callers give one signal to all that they start, and at the eleventh listener Node warns them of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): void {
  if (!signal) return;
  const known = watches.get(signal);
  if (known) return void known.calls.add(call);
  const calls = new Set([call]);
  const all = (): void => {
    watches.delete(signal);
    for (const each of calls) each();
  };
  watches.set(signal, { calls, onAbort: all });
  signal.addEventListener("abort", all, { once: true });
}

export function offAbort(signal: AbortSignal | undefined, call: () => void): void {
  if (!signal) return;
  const known = watches.get(signal);
  if (!known?.calls.delete(call) || known.calls.size > 0) return;
  // A signal that is made of others is kept alive by a listener of its.
  watches.delete(signal);
  signal.removeEventListener("abort", known.onAbort);
}

/** What the work comes to, or `aborted` as soon as the signal aborts; the work goes on. `what` names it. */
export async function unlessAborted<T>(
  what: string,
  work: Promise<T>,
  signal: AbortSignal | undefined,
  delivery: Delivery,
): Promise<T> {
  if (!signal) return await work;
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = (): void => reject(new AbortedError(what, delivery, signal.reason));
    if (signal.aborted) giveUp();
    else onAbort(signal, giveUp);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    offAbort(signal, giveUp);
  }
}
