import type { QueuedSubmission } from "codexwright/protocol";
import type { ThreadStore } from "../ports.ts";

/** The submissions that wait for the running turn of their thread. A change of a queue waits for the change before it. */
export class ThreadQueues {
  readonly #store: ThreadStore;
  readonly #changes = new Map<string, Promise<void>>();

  constructor(store: ThreadStore) {
    this.#store = store;
  }

  list(threadId: string): Promise<readonly QueuedSubmission[]> {
    return this.#next(threadId, () => this.#store.queued(threadId));
  }

  /** Replaces a queue by what `change` returns. Leaves it as it is if `change` returns `undefined`, or throws. */
  change(
    threadId: string,
    change: (queue: readonly QueuedSubmission[]) => readonly QueuedSubmission[] | undefined,
  ): Promise<void> {
    return this.#next(threadId, async () => {
      const changed = change(await this.#store.queued(threadId));
      if (changed) await this.#store.enqueue(threadId, changed);
    });
  }

  async #next<T>(threadId: string, work: () => Promise<T>): Promise<T> {
    const last = this.#changes.get(threadId);
    let done: () => void = () => {};
    const changing = new Promise<void>((resolve) => (done = resolve));
    this.#changes.set(threadId, changing);
    try {
      await last;
      return await work();
    } finally {
      if (this.#changes.get(threadId) === changing) this.#changes.delete(threadId);
      done();
    }
  }
}
