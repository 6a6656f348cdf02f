const waiting = new WeakMap<AbortSignal, Waiting>();

interface Waiting {
  readonly calls: Set<() => void>;
  readonly onAbort: () => void;
}

/**
 * Calls back when the signal aborts, until {@link offAbort}. There is one listener for each signal, however many wait
 * for it: callers give one signal to all that they start, and at the eleventh listener Node warns them of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): void {
  if (!signal) return;
  const known = waiting.get(signal);
  if (known) return void known.calls.add(call);
  const calls = new Set([call]);
  const all = (): void => {
    waiting.delete(signal);
    for (const each of calls) each();
  };
  waiting.set(signal, { calls, onAbort: all });
  signal.addEventListener("abort", all, { once: true });
}

export function offAbort(signal: AbortSignal | undefined, call: () => void): void {
  if (!signal) return;
  const known = waiting.get(signal);
  if (!known?.calls.delete(call) || known.calls.size > 0) return;
  // A signal that is made of others is kept alive by a listener of its.
  waiting.delete(signal);
  signal.removeEventListener("abort", known.onAbort);
}
