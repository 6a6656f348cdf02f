import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MemoryThreadStore } from "@codexwright/engine";
import type { ThreadStore } from "@codexwright/engine";
import { pathOf } from "@codexwright/engine/internal";
import type { ThreadRecord } from "@codexwright/engine";

/** Stores threads in files below a home, one file per thread. Also keeps all of them in memory. */
export class FileThreadStore implements ThreadStore {
  readonly #home: string;
  readonly #memory = new MemoryThreadStore();

  constructor(home: string) {
    this.#home = home;
    for (const folder of ["sessions", "archived_sessions"]) this.#read(path.join(home, folder));
  }

  get(id: string): ThreadRecord | undefined {
    return this.#memory.get(id);
  }

  all(): ThreadRecord[] {
    return this.#memory.all();
  }

  save(record: ThreadRecord): void {
    this.#memory.save(record);
    if (this.#memory.get(record.id) !== record) return;
    const file = this.#file(record);
    mkdirSync(path.dirname(file), { recursive: true });
    // If the process ends midway, either the old file or the new one remains.
    writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`);
    renameSync(`${file}.new`, file);
  }

  claim(id: string, writer: object): boolean {
    return this.#memory.claim(id, writer);
  }

  release(id: string, writer: object): void {
    this.#memory.release(id, writer);
  }

  archive(record: ThreadRecord, archived: boolean): void {
    this.#remove(record);
    record.archived = archived;
    this.save(record);
  }

  branch(record: ThreadRecord, branch: string): void {
    this.#remove(record);
    record.branch = branch;
    this.save(record);
  }

  delete(record: ThreadRecord): void {
    this.#memory.delete(record);
    this.#remove(record);
  }

  #file(record: ThreadRecord): string {
    return pathOf(path, this.#home, record);
  }

  #remove(record: ThreadRecord): void {
    rmSync(this.#file(record), { force: true });
  }

  #read(folder: string): void {
    for (const file of listed(folder)) {
      if (!file.endsWith(".jsonl")) continue;
      const record = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as ThreadRecord;
      // The process that ran the turn is gone.
      for (const turn of record.turns) if (turn.status === "inProgress") turn.status = "interrupted";
      this.#memory.save(record);
    }
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return []; // Nothing was stored there yet.
  }
}
