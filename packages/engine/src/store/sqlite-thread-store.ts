import { checkOptions, needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { QueuedSubmission } from "codexwright/protocol";
import type { Lease, StoredThread, ThreadBatch, ThreadStore } from "../core/ports.ts";
import { textsOf } from "../core/records/history.ts";
import type { ThreadInfo, ThreadRecord } from "../core/records/record.ts";
import { parseRecord, type RolloutRecord } from "../core/records/rollout-record.ts";
import { ThreadInUseError, ThreadStoreError } from "../core/records/store-errors.ts";
import type { WireObject } from "../core/wire-object.ts";
import { begins, emptyFold } from "./rollout-history.ts";
import { openDatabase, transaction } from "./sqlite-database.ts";
import type { Database } from "./sqlite.ts";
import { storeFailure } from "./store-failure.ts";

/** Options of {@link sqliteStore}. */
export interface SqliteStoreOptions {
  /** The file of the database. It is made if it does not exist. */
  readonly file: string;
}

const OPTIONS: Table<SqliteStoreOptions> = { file: needed(is.nonEmptyText) };

/** A store of threads in a database, which it holds until it is closed. */
export interface SqliteThreadStore extends ThreadStore, AsyncDisposable {
  /** Closes the database. Close the servers that use the store before. */
  close(): Promise<void>;
}

/**
 * Stores threads in a database of SQLite, for one process at a time. It needs Node 22.13 or newer, or Bun.
 *
 * @throws ThreadStoreError if the database cannot be opened: its `reason` is "SQLITE_BUSY" if another process has it,
 *   and "no_sqlite" if this runtime has no `node:sqlite`
 */
export function sqliteStore(options: SqliteStoreOptions): SqliteThreadStore {
  checkOptions("sqliteStore()", options, OPTIONS);
  return new DatabaseThreadStore(openDatabase(options.file));
}

type Row = Readonly<Record<string, unknown>>;

class DatabaseThreadStore implements SqliteThreadStore {
  readonly #database: Database;
  readonly #leases = new Map<string, Lease>();
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(id: string): Promise<Lease> {
    return await this.#do("lock a thread", () => this.#reserve(id));
  }

  async append({ id }: Lease, { thread, records, durable }: ThreadBatch): Promise<void> {
    await this.#do("write a thread", () => {
      transaction(this.#database, durable, () => {
        this.#insert(id, records, this.#next(id));
        this.#describe(thread);
      });
    });
  }

  async read(id: string, beforeTurnId?: string): Promise<StoredThread | undefined> {
    return await this.#do("read a thread", () => {
      const [row] = this.#rows("SELECT * FROM threads WHERE id = ?", id);
      if (!row) return undefined;
      const fold = emptyFold();
      let skipped = 0;
      for (const { ordinal, record: text } of this.#recordsOf(id)) {
        const record = parseRecord(text, ordinal);
        if (record && beforeTurnId !== undefined && begins(record, beforeTurnId)) break;
        if (!record) skipped++;
        else {
          // The history of a fork begins with that of its source.
          if (record.type === "session_meta" && fold.next > 0 && "forked_from_id" in record.payload)
            fold.forked();
          fold.add(record);
        }
      }
      const { name, gitInfo, archived, path, branch } = infoOf(row);
      return { thread: { ...fold.thread(id), name, gitInfo, archived, path, branch }, skipped };
    });
  }

  async find(id: string): Promise<ThreadInfo | undefined> {
    return await this.#do("read a thread", () => {
      const [row] = this.#rows("SELECT * FROM threads WHERE id = ?", id);
      return row && infoOf(row);
    });
  }

  async list(): Promise<readonly ThreadInfo[]> {
    return await this.#do("list threads", () => this.#rows("SELECT * FROM threads").map(infoOf));
  }

  async *texts(id: string): AsyncGenerator<string, void, undefined> {
    const turns = (await this.read(id))?.thread.turns ?? [];
    for (const { items } of turns) for (const { item } of items) yield* textsOf(item);
  }

  async branch(
    { id }: Lease,
    thread: ThreadRecord,
    base: { readonly id: string; readonly before?: string | undefined },
    meta: RolloutRecord,
  ): Promise<undefined> {
    await this.#do("write a thread", () => {
      transaction(this.#database, true, () => {
        const kept: RolloutRecord[] = [];
        for (const { ordinal, record: text } of this.#recordsOf(base.id)) {
          const record = parseRecord(text, ordinal);
          if (record && base.before !== undefined && begins(record, base.before)) break;
          if (record) kept.push(record);
        }
        this.#run("DELETE FROM records WHERE thread = ?", id);
        this.#insert(id, [...kept, meta], kept[0]?.ordinal ?? 0);
        thread.nextOrdinal = this.#next(id);
        thread.path = null;
        this.#describe(thread);
      });
    });
    return undefined;
  }

  async archive(id: string, archived: boolean): Promise<undefined> {
    await this.#alone(id, "archive a thread", () =>
      this.#run("UPDATE threads SET archived = ? WHERE id = ?", archived ? 1 : 0, id),
    );
    return undefined;
  }

  async label(
    id: string,
    { name, gitInfo }: { readonly name?: string; readonly gitInfo?: WireObject },
  ): Promise<undefined> {
    await this.#do("write a thread", () => {
      transaction(this.#database, true, () => {
        if (name !== undefined) this.#run("UPDATE threads SET name = ? WHERE id = ?", name, id);
        if (gitInfo !== undefined)
          this.#run("UPDATE threads SET git = ? WHERE id = ?", JSON.stringify(gitInfo), id);
      });
    });
    return undefined;
  }

  async delete(id: string): Promise<void> {
    await this.#alone(id, "delete a thread", () => {
      this.#run("DELETE FROM threads WHERE id = ?", id);
      for (const table of ["records", "queues"]) this.#run(`DELETE FROM ${table} WHERE thread = ?`, id);
    });
  }

  async queued(id: string): Promise<readonly QueuedSubmission[]> {
    return await this.#do("read a thread", () => {
      const [row] = this.#rows("SELECT submissions FROM queues WHERE thread = ?", id);
      return row ? (JSON.parse(String(row["submissions"])) as QueuedSubmission[]) : [];
    });
  }

  async enqueue(id: string, submissions: readonly QueuedSubmission[]): Promise<void> {
    await this.#do("write a thread", () => {
      transaction(this.#database, true, () =>
        this.#run("INSERT OR REPLACE INTO queues VALUES (?, ?)", id, JSON.stringify(submissions)),
      );
    });
  }

  async close(): Promise<void> {
    await Promise.resolve();
    if (this.#closed) return;
    this.#closed = true;
    this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** SQLite is synchronous here, so no other task runs between two statements. */
  async #do<T>(what: string, work: () => T): Promise<T> {
    await Promise.resolve();
    if (this.#closed) throw new ThreadStoreError(what, "closed");
    try {
      return work();
    } catch (error) {
      throw storeFailure(what, error);
    }
  }

  /** Changes a thread that has no writer. */
  async #alone(id: string, what: string, work: () => void): Promise<void> {
    await this.#do(what, () => {
      if (this.#leases.has(id)) throw new ThreadInUseError(id);
      transaction(this.#database, true, work);
    });
  }

  #reserve(id: string): Lease {
    if (this.#leases.has(id)) throw new ThreadInUseError(id);
    const lease: Lease = {
      id,
      release: () => {
        if (this.#leases.get(id) === lease) this.#leases.delete(id);
        return Promise.resolve();
      },
    };
    this.#leases.set(id, lease);
    return lease;
  }

  #next(id: string): number {
    const [row] = this.#rows("SELECT max(ordinal) AS last FROM records WHERE thread = ?", id);
    return typeof row?.["last"] === "number" ? row["last"] + 1 : 0;
  }

  #insert(id: string, records: readonly RolloutRecord[], from: number): void {
    const insert = this.#database.prepare("INSERT INTO records VALUES (?, ?, ?)");
    for (const [at, record] of records.entries()) {
      const ordinal = from + at;
      insert.run(id, ordinal, JSON.stringify({ ...record, ordinal }));
    }
  }

  /** Stores what lists say of a thread. The name and the rest that {@link label} and {@link archive} set stay. */
  #describe(thread: ThreadRecord): void {
    const { instructions: _, developerInstructions: __, dynamicTools: ___, ...rest } = thread;
    const { turns: ____, history: _____, usage: ______, nextOrdinal: _______, ...info } = rest;
    this.#run(
      "INSERT INTO threads (id, info) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET info = excluded.info",
      thread.id,
      JSON.stringify(info satisfies ThreadInfo),
    );
  }

  *#recordsOf(id: string): Generator<{ readonly ordinal: number; readonly record: string }> {
    for (const row of this.#rows(
      "SELECT ordinal, record FROM records WHERE thread = ? ORDER BY ordinal",
      id,
    )) {
      yield { ordinal: Number(row["ordinal"]), record: String(row["record"]) };
    }
  }

  #rows(sql: string, ...values: (string | number)[]): readonly Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#database.prepare(sql).run(...values);
  }
}

function infoOf(row: Row): ThreadInfo {
  const info = JSON.parse(String(row["info"])) as ThreadInfo;
  const { name, git, archived } = row;
  return {
    ...info,
    archived: archived === 1,
    name: typeof name === "string" ? name : info.name,
    gitInfo: typeof git === "string" ? (JSON.parse(git) as WireObject) : info.gitInfo,
  };
}
