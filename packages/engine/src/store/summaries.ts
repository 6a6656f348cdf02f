import type { ThreadInfo } from "../core/records/record.ts";
import { objectOr, parseRecord } from "../core/records/rollout-record.ts";
import type { RolloutFold } from "../core/records/from-rollout.ts";
import { isThreadId, type RolloutFile } from "./rollout-files.ts";
import { emptyFold } from "./rollout-history.ts";
import { linesOf, openRegular } from "./rollout-lines.ts";
import type { FileHandle } from "node:fs/promises";

/** How much of a file's start is read to describe its thread. */
const HEAD = 512 * 1024;
/** How much of its end. */
const TAIL = 128 * 1024;
/** How many files are read at the same time. */
const AT_ONCE = 16;

/** Describes threads by the start and the end of their files. Remembers files that have not changed. */
export class Summaries {
  readonly #known = new Map<
    string,
    { readonly size: number; readonly mtimeMs: number; readonly info: ThreadInfo }
  >();

  /** Describes the threads of these files. Leaves out files that cannot be read or that do not begin with a record. */
  async of(current: readonly RolloutFile[], byKey: ReadonlyMap<string, RolloutFile>): Promise<ThreadInfo[]> {
    const infos: ThreadInfo[] = [];
    for (let at = 0; at < current.length; at += AT_ONCE) {
      const some = current.slice(at, at + AT_ONCE);
      const read = await Promise.all(some.map((file) => this.describe(file, byKey)));
      for (const info of read) if (info) infos.push(info);
    }
    return infos;
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
      this.#known.set(file.path, { size, mtimeMs, info: own });
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
  for await (const { text, end } of linesOf(handle, 0, Math.min(size, HEAD))) {
    read = end;
    const record = text === undefined ? undefined : parseRecord(text, fold.next);
    if (record && (record.type !== "session_meta" || fold.next === 0)) fold.add(record);
  }
  const from = Math.max(read, size - TAIL);
  let whole = from === read;
  for await (const { text } of linesOf(handle, from)) {
    // The first of these lines is not complete, unless it follows the last one that was read.
    const record = !whole || text === undefined ? undefined : parseRecord(text, fold.next);
    whole = true;
    if (record && record.type !== "session_meta") fold.add(record);
  }
  return fold;
}
