/**
 * Holds a response at one point until the test opens the gate.
 *
 * Put it into a response, or between the deltas of a reply. One gate may hold several responses. Once open,
 * it stays open. Closing the model or losing the client ends a held response without opening the gate.
 */
export interface Gate {
  readonly kind: "gate";
  /** Resolves when the first response reaches the gate: everything before it was handed to the socket. */
  readonly reached: Promise<void>;
  /** Resolves when the gate is opened. */
  readonly opened: Promise<void>;
  /** Lets all responses continue. */
  open(): void;
  /** Called by the model when a response reaches the gate. */
  arrive(): void;
}

/** Creates a closed {@link Gate}. */
export function gate(): Gate {
  const reached = latch();
  const opened = latch();
  return {
    kind: "gate",
    reached: reached.promise,
    opened: opened.promise,
    open: opened.resolve,
    arrive: reached.resolve,
  };
}

function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: (() => void) | undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve: () => resolve?.() };
}

/** Waits until a gate is opened. Rejects if the signal aborts first. */
export async function pass(closed: Gate, signal: AbortSignal): Promise<void> {
  closed.arrive();
  await Promise.race([closed.opened, never(signal)]);
}

/** Rejects when the signal aborts, and never resolves. */
export function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
}
