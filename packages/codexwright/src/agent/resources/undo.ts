import type { Snapshotable } from "./resource.ts";

/** The way back to what resources were when a call first held them. */
export class Undo {
  readonly #taken = new Map<Snapshotable, unknown>();
  readonly #onError: (message: string, error: unknown) => void;

  constructor(onError: (message: string, error: unknown) => void) {
    this.#onError = onError;
  }

  /** Remembers what resources are now, except for those that it knows already. */
  async add(resources: Iterable<Snapshotable>): Promise<void> {
    for (const one of resources) {
      if (!this.#taken.has(one)) this.#taken.set(one, await one.snapshot());
    }
  }

  has(resource: Snapshotable): boolean {
    return this.#taken.has(resource);
  }

  /** Takes over what an inner call that has succeeded would have rolled back to. Returns the resources that are new. */
  adopt(inner: Undo): Snapshotable[] {
    const added = [...inner.#taken].filter(([one]) => !this.#taken.has(one));
    for (const [one, snapshot] of added) this.#taken.set(one, snapshot);
    return added.map(([one]) => one);
  }

  /**
   * Takes back what was done since, the last resource first; may be called again for what was done after that.
   *
   * @param keeps true for a resource that is left alone
   */
  async rollback(keeps: (resource: Snapshotable) => boolean): Promise<void> {
    for (const [one, snapshot] of [...this.#taken].toReversed()) {
      if (keeps(one)) continue;
      try {
        await one.restore(snapshot);
      } catch (error) {
        this.#onError("a resource could not be rolled back", error);
      }
    }
  }
}
