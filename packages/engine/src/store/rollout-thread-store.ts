import { mkdir, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { setImmediate as nextTask } from "node:timers/promises";
import { checkOptions, needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { QueuedSubmission } from "codexwright/protocol";
import type { Lease, StoredThread, ThreadBatch, ThreadStore } from "../core/ports.ts";
import { textsOf } from "../core/records/history.ts";
import { pathOf } from "../core/records/record-path.ts";
import type { ThreadInfo, ThreadRecord } from "../core/records/record.ts";
import { parseRecord, type RolloutRecord } from "../core/records/rollout-record.ts";
import { ThreadStoreError } from "../core/records/store-errors.ts";
import type { WireObject } from "../core/wire-object.ts";
import { updateCodexRow, type CodexRow } from "./codex-state.ts";
import { readLabels, writeGitInfo, writeName } from "./labels.ts";
import { readQueue, writeQueue } from "./queue-file.ts";
import { currentFiles, isThreadId, RolloutFolders, type RolloutFile } from "./rollout-files.ts";
import { readHistory, type Place } from "./rollout-history.ts";
import { linesOf, openRegular } from "./rollout-lines.ts";
import { RolloutWriter } from "./rollout-writer.ts";
import { mayContain } from "./search-file.ts";
import { storeFailure } from "./store-failure.ts";
import { Summaries } from "./summaries.ts";
import { ThreadIndex } from "./thread-index.ts";
import { lockThread, type HeldLock } from "./writer-lock.ts";

/** Options of {@link rolloutStore}. */
export interface RolloutStoreOptions {
  /** The folder of Codex's configuration and threads (`CODEX_HOME`). */
  readonly home: string;
}

const OPTIONS: Table<RolloutStoreOptions> = { home: needed(is.nonEmptyText) };

/** Stores threads in the rollout files of Codex, so that both go on with each other's threads. */
export function rolloutStore(options: RolloutStoreOptions): ThreadStore {
  checkOptions("rolloutStore()", options, OPTIONS);
  return new RolloutThreadStore(options);
}

/** How many files a search reads before other work may run. */
const SEARCHED_AT_ONCE = 64;

interface Files {
  readonly current: ReadonlyMap<string, RolloutFile>;
  readonly byKey: ReadonlyMap<string, RolloutFile>;
}

interface Writing extends Lease {
  writer: RolloutWriter | undefined;
}

class RolloutThreadStore implements ThreadStore {
  readonly #home: string;
  readonly #folders: RolloutFolders;
  readonly #summaries: Summaries;
  /** The files of the last list. A search reads them one after the other. */
  #listed: Files | undefined;
  #searched = 0;

  constructor({ home }: RolloutStoreOptions) {
    this.#home = home;
    this.#folders = new RolloutFolders(home);
    this.#summaries = new Summaries(new ThreadIndex(home));
  }

  async claim(id: string): Promise<Lease> {
    return await this.#reserve(id);
  }

  async append(lease: Lease, { thread, records, durable }: ThreadBatch): Promise<void> {
    const writing = lease as Writing;
    await failing("write a thread", async () => {
      writing.writer ??= await RolloutWriter.open(this.#fileOf(thread));
      await writing.writer.append(records, durable);
    });
  }

  async read(id: string, beforeTurnId?: string): Promise<StoredThread | undefined> {
    return await failing("read a thread", async () => {
      const found = await this.#find(id);
      if (!found) return undefined;
      const { file, byKey } = found;
      const { fold, skipped } = await readHistory(file, byKey, beforeTurnId);
      const thread = fold.thread(id);
      const place = { branch: file.branch, archived: file.archived, path: file.path };
      return { thread: { ...thread, ...place, ...(await this.#labelsOf(id, thread)) }, skipped };
    });
  }

  async find(id: string): Promise<ThreadInfo | undefined> {
    return await failing("read a thread", async () => {
      const found = await this.#find(id);
      const info = found && (await this.#summaries.describe(found.file, found.byKey));
      return info && { ...info, ...(await this.#labelsOf(id, info)) };
    });
  }

  async list(): Promise<readonly ThreadInfo[]> {
    return await failing("list threads", async () => {
      const files = await this.#folders.files();
      const current = currentFiles(files);
      const byKey = byKeyOf(files);
      this.#listed = { current, byKey };
      const infos = await this.#summaries.of([...current.values()], byKey);
      const { names, git } = await readLabels(this.#home);
      return infos.map((info) => {
        const name = names.get(info.id);
        const gitInfo = git.get(info.id);
        if (name === undefined && gitInfo === undefined) return info;
        return { ...info, name: name ?? info.name, gitInfo: gitInfo ?? info.gitInfo };
      });
    });
  }

  async *texts(id: string, term: string): AsyncGenerator<string, void, undefined> {
    const file = this.#listed?.current.get(id);
    if (++this.#searched % SEARCHED_AT_ONCE === 0) await nextTask();
    const turns = await failing("read a thread", async () => {
      if (file && !(await mayContain(file.path, term).catch(() => true))) return [];
      const listed = file && this.#listed;
      const found = listed ? { file, byKey: listed.byKey } : await this.#find(id);
      // The file may have been moved since it was listed.
      const read = found && (await readHistory(found.file, found.byKey).catch(() => undefined));
      return read ? read.fold.thread(id).turns : ((await this.read(id))?.thread.turns ?? []);
    });
    for (const { items } of turns) for (const { item } of items) yield* textsOf(item);
  }

  async branch(
    lease: Lease,
    thread: ThreadRecord,
    base: { readonly id: string; readonly before?: string | undefined },
    meta: RolloutRecord,
  ): Promise<string | undefined> {
    const writing = lease as Writing;
    await failing("write a thread", async () => {
      const found = await this.#find(base.id);
      if (!found) throw new ThreadStoreError("read a thread", "ENOENT");
      const { end } = await readHistory(found.file, found.byKey, base.before);
      await writing.writer?.close();
      writing.writer = undefined;
      const file = this.#fileOf(thread);
      const legacy = thread.historyMode === "legacy";
      const writer = await RolloutWriter.begin(file, legacy ? 0 : end.ordinal);
      try {
        await writer.append(legacy ? await copied(meta, end) : [continuing(meta, end)], true);
      } catch (error) {
        await writer.close();
        await unlink(file).catch(() => {});
        throw error;
      }
      writing.writer = writer;
      thread.path = file;
      thread.nextOrdinal = writer.next;
      if (thread.name !== null && base.id !== thread.id) await writeName(this.#home, thread.id, thread.name);
    });
    if (base.id !== thread.id) return undefined;
    return await this.#tellCodex(thread.id, "shorter history", { rolloutPath: this.#fileOf(thread) });
  }

  async archive(id: string, archived: boolean): Promise<string | undefined> {
    const lease = await this.#reserve(id);
    try {
      return await failing("archive a thread", async () => {
        const found = await this.#find(id);
        if (!found) return undefined;
        const { file } = found;
        const to = archived
          ? path.join(this.#home, "archived_sessions", path.basename(file.path))
          : path.join(this.#home, "sessions", ...dayOf(file.path), path.basename(file.path));
        await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
        await rename(file.path, to);
        return await this.#tellCodex(id, "place", { archived, rolloutPath: to });
      });
    } finally {
      await lease.release();
    }
  }

  async label(
    id: string,
    labels: { readonly name?: string; readonly gitInfo?: WireObject },
  ): Promise<string | undefined> {
    const { name, gitInfo } = labels;
    if (!isThreadId(id)) return undefined;
    await failing("write a thread", async () => {
      if (name !== undefined) await writeName(this.#home, id, name);
      if (gitInfo !== undefined) await writeGitInfo(this.#home, id, gitInfo);
    });
    return name === undefined ? undefined : await this.#tellCodex(id, "name", { name });
  }

  async delete(id: string): Promise<void> {
    const lease = await this.#reserve(id);
    try {
      await failing("delete a thread", async () => {
        const files = await this.#folders.files();
        for (const file of files) if (file.id === id) await unlink(file.path);
        await writeQueue(this.#home, id, []);
      });
    } finally {
      await lease.release();
    }
  }

  async queued(id: string): Promise<readonly QueuedSubmission[]> {
    if (!isThreadId(id)) return [];
    return await failing("read a thread", () => readQueue(this.#home, id));
  }

  async enqueue(id: string, submissions: readonly QueuedSubmission[]): Promise<void> {
    if (!isThreadId(id)) throw new ThreadStoreError("write a thread", "EINVAL");
    await failing("write a thread", () => writeQueue(this.#home, id, submissions));
  }

  async #reserve(id: string): Promise<Writing> {
    if (!isThreadId(id)) throw new ThreadStoreError("lock a thread", "EINVAL");
    const lock: HeldLock = await failing("lock a thread", () => lockThread(this.#home, id));
    const writing: Writing = {
      id,
      writer: undefined,
      release: async () => {
        const { writer } = writing;
        writing.writer = undefined;
        await writer?.close();
        await lock.release();
      },
    };
    return writing;
  }

  #fileOf(thread: ThreadRecord): string {
    return thread.path ?? pathOf(path, this.#home, thread);
  }

  async #find(
    id: string,
  ): Promise<{ file: RolloutFile; byKey: ReadonlyMap<string, RolloutFile> } | undefined> {
    const files = await this.#folders.files();
    const file = currentFiles(files).get(id);
    return file && { file, byKey: byKeyOf(files) };
  }

  async #labelsOf(id: string, info: Pick<ThreadInfo, "name" | "gitInfo">): Promise<typeof info> {
    const { names, git } = await readLabels(this.#home);
    return { name: names.get(id) ?? info.name, gitInfo: git.get(id) ?? info.gitInfo };
  }

  /** Returns a warning if Codex will not see the change. */
  async #tellCodex(id: string, what: string, row: CodexRow): Promise<string | undefined> {
    if ((await updateCodexRow(this.#home, id, row)) !== "unknown") return undefined;
    return `Codex may not see the new ${what} of this thread, because its database could not be updated.`;
  }
}

function byKeyOf(files: readonly RolloutFile[]): ReadonlyMap<string, RolloutFile> {
  return new Map(files.map((file) => [file.key, file]));
}

/** The first record of a history that continues another file, as Codex writes it. */
function continuing(meta: RolloutRecord, { file, ordinal, byteOffset }: Place): RolloutRecord {
  const forked =
    meta.payload["forked_from_id"] === undefined ? {} : { forked_from_ordinal_exclusive: ordinal };
  const base = { thread_id: file.key, end_ordinal_exclusive: ordinal, end_byte_offset: byteOffset };
  return { ...meta, payload: { ...meta.payload, ...forked, history_base: base } };
}

/** The records of a history in the legacy form, which cannot refer to other files. */
async function copied(meta: RolloutRecord, { file, byteOffset }: Place): Promise<RolloutRecord[]> {
  const records = [meta];
  const handle = await openRegular(file.path);
  try {
    for await (const { text } of linesOf(handle, 0, byteOffset)) {
      const record = text === undefined ? undefined : parseRecord(text, 0);
      if (record && record.type !== "session_meta") records.push(record);
    }
  } finally {
    await handle.close();
  }
  return records;
}

/** The day in the name of a file: `rollout-2026-11-18T…`. */
function dayOf(file: string): string[] {
  const [, day = "1970-01-01"] = /^rollout-(\d{4}-\d{2}-\d{2})/.exec(path.basename(file)) ?? [];
  return day.split("-");
}

async function failing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeFailure(what, error);
  }
}
