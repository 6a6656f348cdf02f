import { offAbort, onAbort } from "./on-abort.ts";

/** A request that can be withdrawn while it is being answered, or a signal that stands for such a request. */
export interface Withdrawable {
  /** Aborts when the request is withdrawn. */
  readonly signal: AbortSignal;
  /** Reports a withdrawal without creating a signal: a signal costs as much as a simple answer. */
  onWithdrawn?(call: () => void): void;
}

/** Calls back when the request is withdrawn, immediately if it already is. Returns a function that stops watching. */
export function whenWithdrawn(request: Withdrawable, call: () => void): () => void {
  if (request.onWithdrawn) {
    request.onWithdrawn(call);
    return () => {}; // the callback is released with the request
  }
  const { signal } = request;
  if (signal.aborted) call();
  else onAbort(signal, call);
  return () => offAbort(signal, call);
}

const REQUEST = Symbol("request");

/** One getter that all objects share. With separate getters, each object would have its own hidden class. */
const SIGNAL: PropertyDescriptor & ThisType<{ readonly [REQUEST]: Withdrawable }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[REQUEST].signal;
  },
};

/**
 * Adds the request's signal to an object as a property. The signal is created when the property is first read. Copies
 * of the object have the property too.
 */
export function withSignal<T extends object>(
  object: T,
  request: Withdrawable,
): T & Pick<Withdrawable, "signal"> {
  Object.defineProperty(object, REQUEST, { value: request });
  return Object.defineProperty(object, "signal", SIGNAL) as T & Pick<Withdrawable, "signal">;
}
