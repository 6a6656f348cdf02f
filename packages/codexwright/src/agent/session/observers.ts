import type { JournalEntry } from "./journal.ts";

/** Ends the subscription. `close` and the end of a `using` block do the same. */
export type Unsubscribe = (() => void) & Disposable & { readonly close: () => void };

/** An error that an observer threw. */
export interface ObserverFailure {
  /** The entry that the observer was called with. */
  readonly seq: number;
  readonly error: unknown;
}

type Listener = (payload: never) => void;

const MOST_FAILURES = 100;

/** Notifies listeners of entries in order, including entries that listeners cause. */
export class Observers {
  readonly failures: ObserverFailure[] = [];
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #queue: JournalEntry[] = [];
  #telling = false;

  add(type: string, listener: Listener): Unsubscribe {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    // Each registration gets its own function, so that a listener that was added twice is called twice, and each
    // registration can be removed alone.
    const own: Listener = (payload) => listener(payload);
    listeners.add(own);
    const off = (): void => void listeners.delete(own);
    return Object.assign(off, { close: off, [Symbol.dispose]: off });
  }

  notify(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#queue.push(entry);
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#tell(next);
    this.#telling = false;
  }

  #tell({ seq, event }: JournalEntry): void {
    for (const listener of Array.from(this.#listeners.get(event.type) ?? [])) {
      try {
        listener(event.payload as never);
      } catch (error) {
        if (this.failures.push({ seq, error }) > MOST_FAILURES) this.failures.shift();
      }
    }
  }
}
