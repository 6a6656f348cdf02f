import type { ThreadRecord } from "../records/record.ts";

/** Stores threads that have a history, whether they are loaded or not. */
export interface ThreadStore {
  get(id: string): ThreadRecord | undefined;
  all(): ThreadRecord[];
  /** Saves the current state of a thread. */
  save(record: ThreadRecord): void;
  /** Reserves a thread for one server. Returns false if another server has it loaded. */
  claim(id: string, writer: object): boolean;
  release(id: string, writer: object): void;
  archive(record: ThreadRecord, archived: boolean): void;
  /** Continues a truncated history under another name. */
  branch(record: ThreadRecord, branch: string): void;
  delete(record: ThreadRecord): void;
}
