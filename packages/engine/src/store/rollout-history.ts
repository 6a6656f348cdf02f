import { RolloutFold } from "../core/records/from-rollout.ts";
import { objectOr, parseRecord, type RolloutRecord } from "../core/records/rollout-record.ts";
import type { Settings } from "../core/records/record.ts";
import type { RolloutFile } from "./rollout-files.ts";
import { linesOf, openRegular } from "./rollout-lines.ts";

/** A place in the files of a thread. */
export interface Place {
  readonly file: RolloutFile;
  readonly ordinal: number;
  readonly byteOffset: number;
}

/** A history that was read, of one file or of a chain of files. */
export interface ReadHistory {
  readonly fold: RolloutFold;
  /** Lines that could not be read, and files that are missing. */
  readonly skipped: number;
  /** The end of the history. */
  readonly end: Place;
}

/** The file that a history continues, by the first record of the file that goes on. */
interface Base {
  readonly key: string;
  readonly byteOffset: number | undefined;
  readonly ordinal: number | undefined;
}

/** Longer chains are cut off, so that a chain that leads back to itself ends. */
const LONGEST_CHAIN = 256;

/** The settings of a thread whose records say nothing about them. They are the most careful ones. */
export const UNKNOWN: Settings = {
  model: "",
  modelProvider: "",
  cwd: "/",
  roots: [],
  approvalPolicy: "on-request",
  approvalsReviewer: "user",
  sandbox: { type: "readOnly", networkAccess: false },
  permissions: null,
  effort: null,
  summary: null,
  personality: null,
  collaborationMode: null,
};

export function emptyFold(): RolloutFold {
  return new RolloutFold(UNKNOWN);
}

/** Reads the history that ends with a file, or ends before a turn. `files` are those that it may continue, by key. */
export async function readHistory(
  file: RolloutFile,
  files: ReadonlyMap<string, RolloutFile>,
  beforeTurnId?: string,
): Promise<ReadHistory> {
  const chain = await chainOf(file, files);
  const fold = emptyFold();
  let skipped = chain.missing;
  let end: Place = { file, ordinal: 0, byteOffset: 0 };
  for (const link of chain.links) {
    const read = await readFile(fold, link, beforeTurnId);
    skipped += read.skipped;
    end = { file: link.file, ordinal: read.ordinal, byteOffset: read.byteOffset };
    if (read.stopped) break;
  }
  return { fold, skipped, end };
}

interface Link {
  readonly file: RolloutFile;
  readonly until: Base | undefined;
}

/** The files of a history, oldest first, each with the place at which the next file goes on. */
async function chainOf(
  file: RolloutFile,
  files: ReadonlyMap<string, RolloutFile>,
): Promise<{ links: readonly Link[]; missing: number }> {
  const links: Link[] = [{ file, until: undefined }];
  const seen = new Set([file.key]);
  for (let base = await baseOf(file); base !== undefined;) {
    const next: RolloutFile | undefined = files.get(base.key);
    if (!next || seen.has(next.key) || links.length >= LONGEST_CHAIN) return { links, missing: 1 };
    seen.add(next.key);
    links.unshift({ file: next, until: base });
    base = await baseOf(next);
  }
  return { links, missing: 0 };
}

async function baseOf(file: RolloutFile): Promise<Base | undefined> {
  const handle = await openRegular(file.path);
  try {
    for await (const { text } of linesOf(handle)) {
      const record = text === undefined ? undefined : parseRecord(text, 0);
      const base = objectOr(record?.type === "session_meta" ? record.payload["history_base"] : undefined);
      const { thread_id: key, end_byte_offset: byteOffset, end_ordinal_exclusive: ordinal } = base;
      if (typeof key !== "string") return undefined;
      return { key, byteOffset: positive(byteOffset), ordinal: positive(ordinal) };
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

function positive(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

interface ReadFile {
  readonly skipped: number;
  readonly ordinal: number;
  readonly byteOffset: number;
  readonly stopped: boolean;
}

async function readFile(
  fold: RolloutFold,
  { file, until }: Link,
  beforeTurnId: string | undefined,
): Promise<ReadFile> {
  const handle = await openRegular(file.path);
  let skipped = 0;
  let ordinal = fold.next;
  let byteOffset = 0;
  let first = true;
  try {
    for await (const { text, at, end } of linesOf(handle, 0, until?.byteOffset)) {
      if (text === "") continue;
      const record = text === undefined ? undefined : parseRecord(text, ordinal);
      if (!record) {
        skipped++;
        byteOffset = end;
        continue;
      }
      if (until?.byteOffset === undefined && until?.ordinal !== undefined && record.ordinal >= until.ordinal)
        break;
      if (beforeTurnId !== undefined && begins(record, beforeTurnId)) {
        return { skipped, ordinal: record.ordinal, byteOffset: at, stopped: true };
      }
      if (record.type === "session_meta") {
        // Older forks repeat the first record of the thread that they copied.
        if (first) {
          if (fold.next > 0 && typeof record.payload["forked_from_id"] === "string") fold.forked();
          fold.add(record);
        }
        first = false;
      } else fold.add(record);
      ordinal = record.ordinal + 1;
      byteOffset = end;
    }
  } finally {
    await handle.close();
  }
  return { skipped, ordinal, byteOffset, stopped: false };
}

/** Whether the record begins this turn. */
export function begins({ type, payload }: RolloutRecord, turnId: string): boolean {
  return type === "event_msg" && payload["type"] === "task_started" && payload["turn_id"] === turnId;
}
