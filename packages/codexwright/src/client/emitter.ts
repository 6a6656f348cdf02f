import { checkListener } from "./listeners.ts";

/** Maps an event's name to the arguments its listeners get. */
export type EventMap<E> = { [K in keyof E]: unknown[] };

type Listener<A extends unknown[]> = (...args: A) => void;

interface Entry {
  /** A function; its argument types are those of the event it was added for. */
  readonly listener: unknown;
  readonly once: boolean;
}

/** The part of Node's EventEmitter that users know, typed, and without Node. */
export abstract class Emitter<E extends EventMap<E>> {
  readonly #entries = new Map<keyof E, readonly Entry[]>();

  on<K extends keyof E>(event: K, listener: Listener<E[K]>): this {
    return this.#add(event, { listener, once: false });
  }

  once<K extends keyof E>(event: K, listener: Listener<E[K]>): this {
    return this.#add(event, { listener, once: true });
  }

  /** Takes out the newest registration of this listener, as Node's does. */
  off<K extends keyof E>(event: K, listener: Listener<E[K]>): this {
    return this.#remove(
      event,
      this.#entries.get(event)?.findLast((entry) => entry.listener === listener),
    );
  }

  /** True if anybody listened. An `error` nobody listens to is dropped, unlike Node's. */
  protected emit<K extends keyof E>(event: K, ...args: E[K]): boolean {
    const entries = this.#entries.get(event);
    if (!entries) return false;
    for (const entry of entries) {
      if (entry.once) this.#remove(event, entry);
      try {
        (entry.listener as Listener<E[K]>)(...args);
      } catch (error) {
        this.listenerThrew(error, event);
      }
    }
    return true;
  }

  /** What a listener throws must not end up in the read loop that emitted the event. */
  protected abstract listenerThrew(error: unknown, event: keyof E): void;

  /** Somebody listens to this event now. Throws where there is no such event. */
  protected abstract listened(event: keyof E): void;

  #add(event: keyof E, entry: Entry): this {
    checkListener(entry.listener);
    this.listened(event);
    this.#entries.set(event, [...(this.#entries.get(event) ?? []), entry]);
    return this;
  }

  #remove(event: keyof E, entry: Entry | undefined): this {
    const kept = this.#entries.get(event)?.filter((each) => each !== entry) ?? [];
    if (kept.length > 0) this.#entries.set(event, kept);
    else this.#entries.delete(event);
    return this;
  }
}
