import type { QueuedSubmission } from "codexwright/protocol";
import type { ThreadInfo, ThreadRecord } from "../records/record.ts";
import type { RolloutRecord } from "../records/rollout-record.ts";
import type { WireObject } from "../wire-object.ts";

/** The right to write a thread. At most one writer has it. */
export interface Lease {
  readonly id: string;
  release(): Promise<void>;
}

/** Records to append to the history of a thread. */
export interface ThreadBatch {
  /** The whole thread after these records. A store may keep it instead of the records. */
  readonly thread: ThreadRecord;
  readonly records: readonly RolloutRecord[];
  /** Whether the records must survive a crash of the machine when the call resolves. */
  readonly durable: boolean;
}

/** A thread that was read from a store. */
export interface StoredThread {
  readonly thread: ThreadRecord;
  /** How many lines could not be read. */
  readonly skipped: number;
}

/** Stores the history of threads, whether they are loaded or not. History is only ever appended. */
export interface ThreadStore {
  /** Reserves a thread for one writer. Rejects with a `ThreadInUseError` if another writer has it. */
  claim(id: string): Promise<Lease>;
  /** Appends to a thread. If it rejects, none of the records are stored. */
  append(lease: Lease, batch: ThreadBatch): Promise<void>;
  /** Reads a whole thread, or its history before a turn. */
  read(id: string, beforeTurnId?: string): Promise<StoredThread | undefined>;
  /** Describes a thread without its history. */
  find(id: string): Promise<ThreadInfo | undefined>;
  list(): Promise<readonly ThreadInfo[]>;
  /**
   * The input and the answers of a thread, oldest first, for a search of a text in lower case. The store may leave out
   * everything if it knows that no text contains it, in any case.
   */
  texts(id: string, term: string): AsyncIterable<string>;
  /**
   * Begins a new history for a thread with the history of thread `base.id` so far, or before the turn `base.before`.
   * Sets the thread's `path` and `nextOrdinal`. Resolves with a warning for clients, as {@link ThreadStore.label}.
   */
  branch(
    lease: Lease,
    thread: ThreadRecord,
    base: { readonly id: string; readonly before?: string | undefined },
    meta: RolloutRecord,
  ): Promise<string | undefined>;
  /** Resolves with a warning for clients, as {@link ThreadStore.label}. */
  archive(id: string, archived: boolean): Promise<string | undefined>;
  /**
   * Changes what users see of a thread, apart from its history. Resolves with a warning for clients if other programs
   * that use the store will not see the change.
   */
  label(
    id: string,
    labels: { readonly name?: string; readonly gitInfo?: WireObject },
  ): Promise<string | undefined>;
  delete(id: string): Promise<void>;
  /** The submissions that wait for the running turn of a thread, in their order. */
  queued(id: string): Promise<readonly QueuedSubmission[]>;
  /** Replaces the submissions that wait. They survive a crash of the machine when the call resolves. */
  enqueue(id: string, submissions: readonly QueuedSubmission[]): Promise<void>;
}
