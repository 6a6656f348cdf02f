import { offAbort, onAbort } from "./on-abort.ts";

/** Somebody who waits for an answer of ours. */
export interface Waiting {
  /** Aborts when the answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** Tells the same without a signal, which costs as much as a simple answer. */
  onDropped?(call: () => void): void;
}

/** Calls back when the answer is not wanted any more, at once where that is so already; gives how to take that back. */
export function whenDropped(waiting: Waiting, call: () => void): () => void {
  if (waiting.onDropped) {
    waiting.onDropped(call);
    return () => {}; // it goes with the request
  }
  const { signal } = waiting;
  if (signal.aborted) call();
  else onAbort(signal, call);
  return () => offAbort(signal, call);
}

const WAITING = Symbol("waiting");

/** One getter for all: with one of its own, each object would be a shape of its own. */
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [WAITING]: Waiting }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[WAITING].signal;
  },
};

/** Gives an object the signal of who waits, which is made when somebody looks at it. A copy of the object has it too. */
export function withSignal<T extends object>(told: T, waiting: Waiting): T & Pick<Waiting, "signal"> {
  Object.defineProperty(told, WAITING, { value: waiting });
  return Object.defineProperty(told, "signal", SIGNAL) as T & Pick<Waiting, "signal">;
}
