import { AbortedError, type Delivery } from "./errors.ts";

const watches = new WeakMap<AbortSignal, Watch>();

interface Watch {
  readonly calls: Set<() => void>;
  readonly onAbort: () => void;
}

/**
 * Calls back when the signal aborts, until {@link offAbort} is called. Adds only one listener per signal, for any
 * number of callbacks: callers often share one signal between many calls, and Node reports a possible leak at the
 * eleventh listener.
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
  // Remove the listener, because it would keep a composite signal (`AbortSignal.any`) alive.
  watches.delete(signal);
  signal.removeEventListener("abort", known.onAbort);
}

/**
 * Settles like the work. If the signal aborts first, rejects with `aborted` immediately, and the work continues. `what`
 * names the work in the error.
 */
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
