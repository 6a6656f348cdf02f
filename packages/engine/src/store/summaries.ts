import { lstatSync, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { setImmediate as nextTask } from "node:timers/promises";
import type { ThreadInfo } from "../core/records/record.ts";
import { objectOr, parseRecord } from "../core/records/rollout-record.ts";
import type { RolloutFold } from "../core/records/from-rollout.ts";
import { isThreadId, type RolloutFile } from "./rollout-files.ts";
import { emptyFold } from "./rollout-history.ts";
import { LONGEST_LINE, linesOf, openRegular, type Line } from "./rollout-lines.ts";
import type { Indexed, ThreadIndex } from "./thread-index.ts";

/** How much of a file's start is read to describe its thread. */
const HEAD = 512 * 1024;
/** How much of its end. */
const TAIL = 128 * 1024;
/** How many files are read at the same time. */
const AT_ONCE = 16;
/** How many files are looked at before other work may run. */
const STEP = 256;

/** The description of a file, for as long as the file does not change. */
interface Known {
  readonly size: number;
  readonly mtimeMs: number;
  readonly info: ThreadInfo;
  /** Whether the description depends on no other file. */
  readonly alone: boolean;
}

/** Describes threads by the start and the end of their files. Remembers files that have not changed. */
export class Summaries {
  readonly #index: ThreadIndex;
  readonly #known = new Map<string, Known>();
  /** Descriptions of the index. They are for lists only, because they lack a part of the settings. */
  readonly #listed = new Map<string, Known>();

  constructor(index: ThreadIndex) {
    this.#index = index;
  }

  /** Describes the threads of these files. Leaves out files that cannot be read or that do not begin with a record. */
  async of(current: readonly RolloutFile[], byKey: ReadonlyMap<string, RolloutFile>): Promise<ThreadInfo[]> {
    const indexed = await this.#index.entries();
    const infos = new Map<RolloutFile, ThreadInfo>();
    const unknown: RolloutFile[] = [];
    for (const [at, file] of current.entries()) {
      if (at % STEP === STEP - 1) await nextTask();
      const info = this.#remembered(file, indexed);
      if (info) infos.set(file, info);
      else unknown.push(file);
    }
    const added = new Map<string, Known>();
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      await Promise.all(
        unknown.slice(at, at + AT_ONCE).map(async (file) => {
          const info = await this.describe(file, byKey);
          if (info) infos.set(file, info);
          const known = this.#known.get(file.path);
          if (known?.alone && known.info === info) added.set(file.path, known);
        }),
      );
    }
    await this.#index.add(added, (file) => this.#known.has(file) || this.#listed.has(file));
    return current.flatMap((file) => infos.get(file) ?? []);
  }

  /** A synchronous look takes a few microseconds. Many threads of the pool would take ten times as long. */
  #remembered(file: RolloutFile, indexed: ReadonlyMap<string, Indexed>): ThreadInfo | undefined {
    let found: Stats | undefined;
    try {
      found = lstatSync(file.path, { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
    if (!found?.isFile()) return undefined;
    const { size, mtimeMs } = found;
    for (const known of [this.#known.get(file.path), this.#listed.get(file.path)]) {
      if (known?.size === size && known.mtimeMs === mtimeMs) return known.info;
    }
    const entry = indexed.get(file.path);
    if (entry?.size !== size || entry.mtimeMs !== mtimeMs || entry.info.id !== file.id) return undefined;
    const info = { ...entry.info, branch: file.branch, archived: file.archived, path: file.path };
    this.#listed.set(file.path, { size, mtimeMs, info, alone: true });
    return info;
  }

  async describe(
    file: RolloutFile,
    byKey: ReadonlyMap<string, RolloutFile>,
    depth: number = 0,
  ): Promise<ThreadInfo | undefined> {
    const handle = await openRegular(file.path).catch(() => undefined);
    if (!handle) return undefined;
    try {
      const { size, mtimeMs } = await handle.stat();
      const known = this.#known.get(file.path);
      if (known?.size === size && known.mtimeMs === mtimeMs) return known.info;
      const fold = await ends(handle, size);
      if (Object.keys(fold.meta).length === 0) return undefined;
      const { turns: _, history: __, ...thread } = fold.thread(file.id);
      const info = { ...thread, branch: file.branch, archived: file.archived, path: file.path };
      const own = await this.#continued(info, fold, byKey, depth);
      const alone = fold.meta["history_base"] === undefined;
      this.#known.set(file.path, { size, mtimeMs, info: own, alone });
      return own;
    } finally {
      await handle.close();
    }
  }

  /** A truncated history takes over what the file before it says. */
  async #continued(
    info: ThreadInfo,
    fold: RolloutFold,
    byKey: ReadonlyMap<string, RolloutFile>,
    depth: number,
  ): Promise<ThreadInfo> {
    const key = objectOr(fold.meta["history_base"])["thread_id"];
    const base = typeof key === "string" && isThreadId(key) ? byKey.get(key) : undefined;
    if (!base || depth > 32) return info;
    const before = await this.describe(base, byKey, depth + 1);
    if (!before) return info;
    const settings =
      info.settings.model === "" ? { ...before.settings, cwd: info.settings.cwd } : info.settings;
    if (before.id !== info.id) return { ...info, settings };
    const createdAtMs = Math.min(before.createdAtMs, info.createdAtMs);
    return { ...info, settings, createdAtMs, preview: before.preview || info.preview };
  }
}

async function ends(handle: FileHandle, size: number): Promise<RolloutFold> {
  const fold = emptyFold();
  let read = 0;
  const add = ({ text, end }: Line): void => {
    read = end;
    const record = text === undefined ? undefined : parseRecord(text, fold.next);
    if (record && (record.type !== "session_meta" || fold.next === 0)) fold.add(record);
  };
  for await (const line of linesOf(handle, 0, Math.min(size, HEAD))) add(line);
  // The first record has the instructions of the thread, which can be longer.
  if (read === 0 && size > HEAD) {
    for await (const line of linesOf(handle, 0, Math.min(size, LONGEST_LINE + 1))) {
      add(line);
      break;
    }
    for await (const line of linesOf(handle, read, Math.min(size, read + HEAD))) add(line);
  }
  if (read >= size) return fold;
  const from = Math.max(read, size - TAIL);
  let whole = from === read;
  for await (const { text } of linesOf(handle, from, size)) {
    // The first of these lines is not complete, unless it follows the last one that was read.
    const record = !whole || text === undefined ? undefined : parseRecord(text, fold.next);
    whole = true;
    if (record && record.type !== "session_meta") fold.add(record);
  }
  return fold;
}
