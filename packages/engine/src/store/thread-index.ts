import { constants } from "node:fs";
import { mkdir, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { parseRecordJson } from "../core/depth.ts";
import type { ThreadInfo } from "../core/records/record.ts";
import { isObject } from "../core/records/rollout-record.ts";
import type { WireObject } from "../core/wire-object.ts";
import { UNKNOWN } from "./rollout-history.ts";
import { linesOf, openRegular } from "./rollout-lines.ts";

/** The part of a thread's description that lists show. */
export type ListedThread = Omit<ThreadInfo, "branch" | "archived" | "path">;

/** The entry of a rollout file in the index. It holds for as long as the file has this size and time. */
export interface Indexed {
  readonly size: number;
  readonly mtimeMs: number;
  readonly info: ListedThread;
}

/** Longer lines are neither written nor read. */
const LONGEST_LINE = 64 * 1024;
/** A larger index is not read, so that a hostile one costs neither time nor memory. */
const LARGEST = 256 * 1024 * 1024;

/**
 * The descriptions of threads, kept in a file of the home, so that a new server need not read every rollout file. It is
 * a cache: it may be deleted at any time, and a line that is torn or wrong only costs one more look at a file.
 */
export class ThreadIndex {
  readonly #home: string;
  readonly #file: string;
  #entries: Promise<Map<string, Indexed>> | undefined;
  /** How many lines the file has. Several may be about the same rollout file, and the last one holds. */
  #lines = 0;
  /** Whether the file ends in the middle of a line. */
  #torn = false;

  constructor(home: string) {
    this.#home = home;
    this.#file = path.join(home, "codexwright", "thread-index.jsonl");
  }

  /** The entries, by the path of the rollout file. They are read once. */
  entries(): Promise<ReadonlyMap<string, Indexed>> {
    return (this.#entries ??= this.#read().catch(() => new Map<string, Indexed>()));
  }

  /** Adds entries. Forgets files that are gone when it writes the whole file. A failure is ignored. */
  async add(added: ReadonlyMap<string, Indexed>, exists: (file: string) => boolean): Promise<void> {
    if (added.size === 0) return;
    const entries = (await this.entries()) as Map<string, Indexed>;
    for (const [file, entry] of added) entries.set(file, entry);
    this.#lines += added.size;
    const rewrites = this.#torn || this.#lines > 2 * entries.size + 100;
    try {
      if (!rewrites) return await this.#write(this.#file, constants.O_APPEND, added);
      for (const file of entries.keys()) if (!exists(file)) entries.delete(file);
      // Two servers may write at the same time.
      const whole = `${this.#file}.${process.pid}.${Date.now()}`;
      await this.#write(whole, constants.O_EXCL, entries);
      await rename(whole, this.#file).catch(async (error: unknown) => {
        await unlink(whole).catch(() => {});
        throw error;
      });
      this.#lines = entries.size;
      this.#torn = false;
    } catch {
      // Without the file, the next server reads the rollout files.
    }
  }

  async #write(file: string, flag: number, entries: ReadonlyMap<string, Indexed>): Promise<void> {
    const lines: string[] = [];
    for (const [at, { size, mtimeMs, info }] of entries) {
      const line = JSON.stringify({ file: path.relative(this.#home, at), size, mtimeMs, info: listed(info) });
      if (line.length < LONGEST_LINE / 4) lines.push(`${line}\n`);
    }
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = await openRegular(file, constants.O_WRONLY | constants.O_CREAT | flag, 0o600);
    try {
      await handle.appendFile(lines.join(""));
    } finally {
      await handle.close();
    }
  }

  async #read(): Promise<Map<string, Indexed>> {
    const entries = new Map<string, Indexed>();
    const handle = await openRegular(this.#file);
    try {
      const { size } = await handle.stat();
      this.#torn = size > LARGEST;
      if (this.#torn) return entries;
      let end = 0;
      for await (const line of linesOf(handle, 0, size, LONGEST_LINE)) {
        this.#lines++;
        end = line.end;
        const entry = line.text === undefined ? undefined : parsed(line.text);
        if (entry) entries.set(path.join(this.#home, entry.file), entry);
      }
      this.#torn = end < size;
      return entries;
    } finally {
      await handle.close();
    }
  }
}

/** The members that lists show. A description has more, such as the instructions of the thread. */
function listed(info: ListedThread): WireObject {
  const { id, sessionId, forkedFromId, parentThreadId, historyMode, createdAtMs, updatedAtMs } = info;
  const { originator, source, agentNickname, preview, name, gitInfo } = info;
  const { model, modelProvider, cwd, effort } = info.settings;
  const times = { historyMode, createdAtMs, updatedAtMs };
  const texts = { id, sessionId, forkedFromId, parentThreadId, originator, agentNickname, preview, name };
  return { ...texts, ...times, source, gitInfo, settings: { model, modelProvider, cwd, effort } };
}

function parsed(line: string): (Indexed & { readonly file: string }) | undefined {
  let value: unknown;
  try {
    value = parseRecordJson(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { file, size, mtimeMs } = value;
  const info = infoOf(value["info"]);
  if (!info || typeof file !== "string" || typeof size !== "number" || typeof mtimeMs !== "number")
    return undefined;
  return { file, size, mtimeMs, info };
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isTime = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) <= 8_640_000_000_000_000;

/** Returns what an index says of a thread, if every member has its type. Members of other names are dropped. */
function infoOf(value: unknown): ListedThread | undefined {
  if (!isObject(value)) return undefined;
  const { id, sessionId, forkedFromId, parentThreadId, historyMode, createdAtMs, updatedAtMs } = value;
  const { originator, source, agentNickname, preview, name, gitInfo, settings } = value;
  if (!isText(id) || !isText(sessionId) || !isText(preview) || !isTime(createdAtMs) || !isTime(updatedAtMs))
    return undefined;
  if (!isTextOrNull(forkedFromId) || !isTextOrNull(parentThreadId) || !isTextOrNull(originator))
    return undefined;
  if (!isTextOrNull(agentNickname) || !isTextOrNull(name)) return undefined;
  if (historyMode !== "legacy" && historyMode !== "paginated") return undefined;
  if (!isObject(settings) || (gitInfo !== null && !isObject(gitInfo))) return undefined;
  const { model, modelProvider, cwd, effort } = settings;
  if (!isText(model) || !isText(modelProvider) || !isText(cwd) || !isTextOrNull(effort)) return undefined;
  const texts = { id, sessionId, forkedFromId, parentThreadId, originator, agentNickname, preview, name };
  return {
    ...texts,
    source,
    historyMode,
    gitInfo,
    createdAtMs,
    updatedAtMs,
    ephemeral: false,
    materialized: true,
    readState: null,
    settings: { ...UNKNOWN, model, modelProvider, cwd, effort },
  };
}
