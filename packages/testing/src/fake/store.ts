import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MemoryThreadStore } from "@codexwright/engine";
import type {
  Lease,
  StoredThread,
  ThreadBatch,
  ThreadInfo,
  ThreadRecord,
  ThreadStore,
} from "@codexwright/engine";
import { pathOf } from "@codexwright/engine/internal";

/** Stores threads in files below a home, one file per thread. Also keeps all of them in memory. */
export class FileThreadStore implements ThreadStore {
  readonly #home: string;
  readonly #memory = new MemoryThreadStore();
  /** The file of each thread. */
  readonly #files = new Map<string, string>();

  constructor(home: string) {
    this.#home = home;
    for (const folder of ["sessions", "archived_sessions"]) this.#read(path.join(home, folder));
  }

  claim(id: string): Promise<Lease> {
    return this.#memory.claim(id);
  }

  async append(lease: Lease, { thread }: Pick<ThreadBatch, "thread">): Promise<void> {
    await this.#memory.append(lease, { thread });
    this.#write(thread);
  }

  read(id: string, beforeTurnId?: string): Promise<StoredThread | undefined> {
    return this.#memory.read(id, beforeTurnId);
  }

  find(id: string): Promise<ThreadInfo | undefined> {
    return this.#memory.find(id);
  }

  list(): Promise<readonly ThreadInfo[]> {
    return this.#memory.list();
  }

  texts(id: string): AsyncIterable<string> {
    return this.#memory.texts(id);
  }

  async branch(lease: Lease, thread: ThreadRecord): Promise<undefined> {
    await this.append(lease, { thread });
  }

  async archive(id: string, archived: boolean): Promise<undefined> {
    await this.#memory.archive(id, archived);
    await this.#rewrite(id);
  }

  async label(id: string, labels: Parameters<ThreadStore["label"]>[1]): Promise<undefined> {
    await this.#memory.label(id, labels);
    await this.#rewrite(id);
  }

  async delete(id: string): Promise<void> {
    await this.#memory.delete(id);
    const file = this.#files.get(id);
    this.#files.delete(id);
    if (file !== undefined) rmSync(file, { force: true });
  }

  queued(id: string): ReturnType<ThreadStore["queued"]> {
    return this.#memory.queued(id);
  }

  enqueue(id: string, submissions: Parameters<ThreadStore["enqueue"]>[1]): Promise<void> {
    return this.#memory.enqueue(id, submissions);
  }

  async #rewrite(id: string): Promise<void> {
    const thread = await this.#memory.find(id);
    if (thread) this.#write(thread);
  }

  #write(thread: ThreadRecord): void {
    const file = pathOf(path, this.#home, thread);
    const before = this.#files.get(thread.id);
    mkdirSync(path.dirname(file), { recursive: true });
    // If the process ends midway, either the old file or the new one remains.
    writeFileSync(`${file}.new`, `${JSON.stringify(thread)}\n`);
    renameSync(`${file}.new`, file);
    this.#files.set(thread.id, file);
    if (before !== undefined && before !== file) rmSync(before, { force: true });
  }

  #read(folder: string): void {
    for (const name of listed(folder)) {
      if (!name.endsWith(".jsonl")) continue;
      const file = path.join(folder, name);
      const thread = JSON.parse(readFileSync(file, "utf8")) as ThreadRecord;
      // The process that ran the turn is gone.
      for (const turn of thread.turns) if (turn.status === "inProgress") turn.status = "interrupted";
      this.#memory.keep(thread);
      this.#files.set(thread.id, file);
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
