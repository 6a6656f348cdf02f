import { checkArgument, integerOrInfinity } from "../../rpc/options/check.ts";
import { checkListener } from "./listeners.ts";

const MAX_LISTENERS = integerOrInfinity(0);

/** Maps the name of an event to the arguments of its listeners. */
export type EventMap<E> = { [K in keyof E]: unknown[] };

/** Alternative argument types that the listeners of some events may declare. */
export type AliasMap<E, N> = { [K in keyof N]: K extends keyof E ? unknown[] : never };

type Listener<A extends unknown[]> = (...args: A) => void;

interface Entry {
  /** A function. Its argument types are those of its event. */
  readonly listener: unknown;
  readonly once: boolean;
  /** Set when a `once` listener was called: a nested `emit` must not call it a second time. */
  called?: true;
}

/** The listeners of one event, in the order in which they are called. */
interface Registrations {
  entries: Entry[];
  /** True while an `emit` iterates over `entries`. During that time, a change copies the entries first. */
  shared: boolean;
}

/**
 * A typed EventEmitter that does not depend on Node. As in Node, listeners are called in order, the list is fixed when
 * an event is emitted, and a listener that was added twice is called twice. Two differences: a listener that throws
 * does not stop the others, and an `error` without a listener does not throw.
 */
export abstract class Emitter<E extends EventMap<E>, N extends AliasMap<E, N> = object> {
  readonly #events = new Map<keyof E, Registrations>();
  #maxListeners = 0;

  on<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  on<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  on(event: keyof E, listener: unknown): this {
    return this.#add(event, { listener, once: false }, "last");
  }

  /** Adds a listener that is removed before its first call. */
  once<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  once<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  once(event: keyof E, listener: unknown): this {
    return this.#add(event, { listener, once: true }, "last");
  }

  /** Alias of {@link on}. */
  addListener<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  addListener<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  addListener(event: keyof E, listener: unknown): this {
    return this.#add(event, { listener, once: false }, "last");
  }

  /** Adds a listener that is called before the existing ones. */
  prependListener<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  prependListener<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  prependListener(event: keyof E, listener: unknown): this {
    return this.#add(event, { listener, once: false }, "first");
  }

  prependOnceListener<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  prependOnceListener<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  prependOnceListener(event: keyof E, listener: unknown): this {
    return this.#add(event, { listener, once: true }, "first");
  }

  /** Removes the newest registration of this listener. */
  off<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  off<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  off(event: keyof E, listener: unknown): this {
    return this.#off(event, listener);
  }

  /** Alias of {@link off}. */
  removeListener<K extends keyof E>(event: K, listener: Listener<E[K]>): this;
  removeListener<K extends keyof N>(event: K, listener: Listener<N[K]>): this;
  removeListener(event: keyof E, listener: unknown): this {
    return this.#off(event, listener);
  }

  /** Removes all listeners of the event, or of all events. The client itself does not depend on them. */
  removeAllListeners(event?: keyof E): this {
    for (const each of event === undefined ? this.eventNames() : [event]) {
      if (this.#events.delete(each)) this.unlistened(each);
    }
    return this;
  }

  /** The number of registrations of the event, or of this listener for the event. */
  listenerCount<K extends keyof E>(event: K, listener?: Listener<E[K]>): number {
    const entries = this.#events.get(event)?.entries ?? [];
    if (listener === undefined) return entries.length;
    return entries.filter((entry) => entry.listener === listener).length;
  }

  /** A copy of the listeners of the event, in the order in which they are called. */
  listeners<K extends keyof E>(event: K): Listener<E[K]>[] {
    return (this.#events.get(event)?.entries ?? []).map((entry) => entry.listener as Listener<E[K]>);
  }

  /** Same as {@link listeners}: {@link once} adds no wrapper here. */
  rawListeners<K extends keyof E>(event: K): Listener<E[K]>[] {
    return this.listeners(event);
  }

  /**
   * Stores the number for {@link getMaxListeners}. The number of listeners is not limited, and many listeners cause no
   * warning.
   */
  setMaxListeners(n: number): this {
    checkArgument("setMaxListeners()", "n", n, MAX_LISTENERS);
    this.#maxListeners = n;
    return this;
  }

  getMaxListeners(): number {
    return this.#maxListeners;
  }

  /** The events that have listeners, in the order of their first listener. */
  eventNames(): (keyof E)[] {
    return [...this.#events.keys()];
  }

  /** Calls the listeners; returns whether there was one. The client itself does not depend on its events. */
  emit<K extends keyof E>(event: K, ...args: E[K]): boolean {
    const registrations = this.#events.get(event);
    if (!registrations) return false;
    registrations.shared = true;
    for (const entry of registrations.entries) {
      if (entry.once) {
        if (entry.called) continue;
        entry.called = true;
        this.#remove(event, entry);
      }
      try {
        (entry.listener as Listener<E[K]>).apply(this, args);
      } catch (error) {
        this.listenerThrew(error, event);
      }
    }
    return true;
  }

  /** Called with the error that a listener threw. The error must not reach the read loop that emitted the event. */
  protected abstract listenerThrew(error: unknown, event: keyof E): void;

  /** Called before a listener is added. Throws if there is no such event. */
  protected abstract listened(event: keyof E): void;

  /** Called when the last listener of an event has been removed. */
  protected abstract unlistened(event: keyof E): void;

  #add(event: keyof E, entry: Entry, place: "first" | "last"): this {
    checkListener(entry.listener);
    this.listened(event);
    const registrations = this.#events.get(event);
    if (!registrations) this.#events.set(event, { entries: [entry], shared: false });
    else if (place === "last") own(registrations).push(entry);
    else own(registrations).unshift(entry);
    return this;
  }

  #off(event: keyof E, listener: unknown): this {
    checkListener(listener);
    const found = this.#events.get(event)?.entries.findLast((entry) => entry.listener === listener);
    if (found) this.#remove(event, found);
    return this;
  }

  #remove(event: keyof E, entry: Entry): void {
    const registrations = this.#events.get(event);
    const index = registrations?.entries.lastIndexOf(entry) ?? -1;
    if (!registrations || index < 0) return;
    own(registrations).splice(index, 1);
    if (registrations.entries.length > 0) return;
    this.#events.delete(event);
    this.unlistened(event);
  }
}

/** Returns the entries for a change. If an `emit` iterates over them, they are copied first, once. */
function own(registrations: Registrations): Entry[] {
  if (registrations.shared) {
    registrations.entries = registrations.entries.slice();
    registrations.shared = false;
  }
  return registrations.entries;
}
