import type { ThreadStore } from "../ports.ts";
import type { ThreadRecord } from "../records/record.ts";

/** Stores threads in memory. */
export class MemoryThreadStore implements ThreadStore {
  readonly #records = new Map<string, ThreadRecord>();
  readonly #writers = new Map<string, object>();

  get(id: string): ThreadRecord | undefined {
    return this.#records.get(id);
  }

  all(): ThreadRecord[] {
    return [...this.#records.values()];
  }

  /** Saves the current state of a thread. Ignores threads that are ephemeral or have not run a turn. */
  save(record: ThreadRecord): void {
    if (!record.ephemeral && record.materialized) this.#records.set(record.id, record);
  }

  claim(id: string, writer: object): boolean {
    const holder = this.#writers.get(id);
    if (holder !== undefined && holder !== writer) return false;
    this.#writers.set(id, writer);
    return true;
  }

  release(id: string, writer: object): void {
    if (this.#writers.get(id) === writer) this.#writers.delete(id);
  }

  archive(record: ThreadRecord, archived: boolean): void {
    record.archived = archived;
    this.save(record);
  }

  branch(record: ThreadRecord, branch: string): void {
    record.branch = branch;
    this.save(record);
  }

  delete(record: ThreadRecord): void {
    this.#records.delete(record.id);
  }
}
