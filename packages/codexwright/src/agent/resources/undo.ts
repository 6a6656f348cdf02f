import type { Snapshotable } from "./resource.ts";

/**
 * Snapshots of resources. Each snapshot is taken when a call first uses the resource, and is restored if the call
 * fails.
 */
export class Undo {
  readonly #taken = new Map<Snapshotable, unknown>();
  readonly #onError: (message: string, error: unknown) => void;

  constructor(onError: (message: string, error: unknown) => void) {
    this.#onError = onError;
  }

  /** Takes a snapshot of each resource that has none yet. */
  async add(resources: Iterable<Snapshotable>): Promise<void> {
    for (const one of resources) {
      if (!this.#taken.has(one)) this.#taken.set(one, await one.snapshot());
    }
  }

  has(resource: Snapshotable): boolean {
    return this.#taken.has(resource);
  }

  /** Adopts the snapshots of a nested call that succeeded. Returns the resources that were added. */
  adopt(inner: Undo): Snapshotable[] {
    const added = [...inner.#taken].filter(([one]) => !this.#taken.has(one));
    for (const [one, snapshot] of added) this.#taken.set(one, snapshot);
    return added.map(([one]) => one);
  }

  /**
   * Restores all snapshots in reverse order. May be called again to undo later changes.
   *
   * @param keeps returns true for resources that must not be restored
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
