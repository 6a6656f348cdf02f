import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathOf } from "./fake-thread.ts";
import type { ThreadRecord } from "./record.ts";

/** Threads that have a history, whether they are loaded or not: in memory, or in files below a home. */
export class ThreadStore {
  readonly #home: string | undefined;
  readonly #records = new Map<string, ThreadRecord>();
  readonly #writers = new Map<string, object>();

  /** Without a home nothing is written. */
  constructor(home: string | undefined) {
    this.#home = home;
    if (home === undefined) return;
    for (const folder of ["sessions", "archived_sessions"]) this.#read(path.join(home, folder));
  }

  get(id: string): ThreadRecord | undefined {
    return this.#records.get(id);
  }

  all(): ThreadRecord[] {
    return [...this.#records.values()];
  }

  /** Keeps what a thread is now; one that is ephemeral or has run no turn leaves no trace. */
  save(record: ThreadRecord): void {
    if (record.ephemeral || !record.materialized) return;
    this.#records.set(record.id, record);
    if (this.#home === undefined) return;
    const file = pathOf(this.#home, record);
    mkdirSync(path.dirname(file), { recursive: true });
    // A process that ends midway leaves the old file or the new one.
    writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`);
    renameSync(`${file}.new`, file);
  }

  /** Only one server may have a thread loaded; false where another one does. */
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
    this.#remove(record);
    record.archived = archived;
    this.save(record);
  }

  /** A history that was cut short goes on in another file. */
  branch(record: ThreadRecord, branch: string): void {
    this.#remove(record);
    record.branch = branch;
    this.save(record);
  }

  delete(record: ThreadRecord): void {
    this.#records.delete(record.id);
    this.#remove(record);
  }

  #remove(record: ThreadRecord): void {
    if (this.#home !== undefined) rmSync(pathOf(this.#home, record), { force: true });
  }

  #read(folder: string): void {
    for (const file of listed(folder)) {
      if (!file.endsWith(".jsonl")) continue;
      const record = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as ThreadRecord;
      // The process that ran it is gone, and with it the turn.
      for (const turn of record.turns) if (turn.status === "inProgress") turn.status = "interrupted";
      this.#records.set(record.id, record);
    }
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return []; // Nothing was kept there yet.
  }
}
