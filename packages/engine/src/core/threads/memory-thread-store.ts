import type { QueuedSubmission } from "codexwright/protocol";
import type { Lease, StoredThread, ThreadBatch, ThreadStore } from "../ports.ts";
import { textsOf, truncated } from "../records/history.ts";
import type { ThreadInfo, ThreadRecord } from "../records/record.ts";
import { ThreadInUseError } from "../records/store-errors.ts";
import type { WireObject } from "../wire-object.ts";

/** Stores threads in memory. */
export class MemoryThreadStore implements ThreadStore {
  readonly #threads = new Map<string, ThreadRecord>();
  readonly #leases = new Map<string, Lease>();
  readonly #queues = new Map<string, readonly QueuedSubmission[]>();

  claim(id: string): Promise<Lease> {
    if (this.#leases.has(id)) return Promise.reject(new ThreadInUseError(id));
    const lease: Lease = {
      id,
      release: () => {
        if (this.#leases.get(id) === lease) this.#leases.delete(id);
        return Promise.resolve();
      },
    };
    this.#leases.set(id, lease);
    return Promise.resolve(lease);
  }

  append(_: Lease, { thread }: Pick<ThreadBatch, "thread">): Promise<void> {
    this.keep(thread);
    return Promise.resolve();
  }

  /** Adds a thread without a lease, for example one that another store has read. */
  keep(thread: ThreadRecord): void {
    this.#threads.set(thread.id, thread);
  }

  read(id: string, beforeTurnId?: string): Promise<StoredThread | undefined> {
    const thread = this.#threads.get(id);
    if (!thread) return Promise.resolve(undefined);
    const read = beforeTurnId === undefined ? thread : truncated(thread, beforeTurnId);
    return Promise.resolve({ thread: read, skipped: 0 });
  }

  find(id: string): Promise<ThreadRecord | undefined> {
    return Promise.resolve(this.#threads.get(id));
  }

  list(): Promise<readonly ThreadInfo[]> {
    return Promise.resolve([...this.#threads.values()]);
  }

  async *texts(id: string): AsyncGenerator<string, void, undefined> {
    await Promise.resolve();
    const thread = this.#threads.get(id);
    for (const { items } of thread?.turns ?? []) for (const { item } of items) yield* textsOf(item);
  }

  branch(_: Lease, thread: ThreadRecord): Promise<undefined> {
    this.keep(thread);
    return Promise.resolve(undefined);
  }

  archive(id: string, archived: boolean): Promise<undefined> {
    const thread = this.#threads.get(id);
    if (thread) thread.archived = archived;
    return Promise.resolve(undefined);
  }

  label(id: string, labels: { readonly name?: string; readonly gitInfo?: WireObject }): Promise<undefined> {
    const thread = this.#threads.get(id);
    if (thread) Object.assign(thread, labels);
    return Promise.resolve(undefined);
  }

  delete(id: string): Promise<void> {
    this.#threads.delete(id);
    this.#queues.delete(id);
    return Promise.resolve();
  }

  queued(id: string): Promise<readonly QueuedSubmission[]> {
    return Promise.resolve(this.#queues.get(id) ?? []);
  }

  enqueue(id: string, submissions: readonly QueuedSubmission[]): Promise<void> {
    this.#queues.set(id, submissions);
    return Promise.resolve();
  }
}
