/**
 * Holds a response where it stands until the test opens it.
 *
 * Put it into a response, or between the deltas of a reply. One gate may hold several responses. Once open it stays
 * open; closing the model or losing the client lets go of the response without opening the gate.
 */
export interface Gate {
  readonly kind: "gate";
  /** Resolves when a response first got to the gate: all that stands before it was handed to the socket. */
  readonly reached: Promise<void>;
  /** Resolves when the gate was opened. */
  readonly opened: Promise<void>;
  /** Lets every response go on. */
  open(): void;
  /** Called by the model when a response arrives at the gate. */
  arrive(): void;
}

/** Makes a closed {@link Gate}. */
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

/** Waits at a gate until it is opened. Rejects when the signal is aborted before. */
export async function pass(closed: Gate, signal: AbortSignal): Promise<void> {
  closed.arrive();
  await Promise.race([closed.opened, never(signal)]);
}

/** Rejects when the signal is aborted and never resolves. */
export function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
}
