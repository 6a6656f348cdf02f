import type {
  ThreadListParams,
  ThreadLoadedListParams,
  ThreadLoadedListResponse,
} from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { ThreadsHost } from "./threads-host.ts";
import type { ThreadInfo } from "../records/record.ts";

/** A page of threads. */
export interface ThreadPage {
  readonly records: readonly ThreadInfo[];
  readonly nextCursor: string | null;
  readonly backwardsCursor: string | null;
}

/** Returns a page of the threads that match the params. Cursors are timestamps. */
export async function listThreads(host: ThreadsHost, params: ThreadListParams): Promise<ThreadPage> {
  const key = keyOf(params);
  const ascending = params.sortDirection === "asc";
  const from = params.cursor ? timeOf(params.cursor) : undefined;
  const stored = await host.store.list();
  const all = stored
    .map((info) => host.loaded.get(info.id)?.record ?? info)
    .filter((record) => wanted(record, params))
    // Ids begin with the time, so that threads of the same millisecond keep their order.
    .toSorted((a, b) => (ascending ? 1 : -1) * (a[key] - b[key] || (a.id < b.id ? -1 : 1)));
  const rest = all.filter(
    (record) => from === undefined || (ascending ? record[key] > from : record[key] < from),
  );
  const records = rest.slice(0, Math.max(1, params.limit ?? 25));
  const [first] = records;
  const last = records.at(-1);
  return {
    records,
    nextCursor: last && records.length < rest.length ? forwardsFrom(last, params) : null,
    backwardsCursor: first ? backwardsFrom(first, params) : null,
  };
}

/** The cursor of a page that begins with this thread, for clients that page in the other direction. */
export function backwardsFrom(first: ThreadInfo, params: ThreadListParams): string {
  return cursorOf(first[keyOf(params)] - (params.sortDirection === "asc" ? 1 : -1));
}

/** The cursor of a page that continues after this thread. */
export function forwardsFrom(last: ThreadInfo, params: ThreadListParams): string {
  return cursorOf(last[keyOf(params)]);
}

function keyOf({ sortKey }: ThreadListParams): "createdAtMs" | "updatedAtMs" {
  return (sortKey ?? "created_at") === "created_at" ? "createdAtMs" : "updatedAtMs";
}

function wanted(record: ThreadInfo, params: ThreadListParams): boolean {
  const { modelProviders, sourceKinds, cwd, searchTerm, parentThreadId } = params;
  // A fork has an empty preview, and is not listed, until it gets its own input.
  if (record.archived !== (params.archived ?? false) || record.preview === "") return false;
  if (parentThreadId) return record.parentThreadId === parentThreadId;
  if (record.parentThreadId !== null) return false;
  if (modelProviders && modelProviders.length > 0 && !modelProviders.includes(record.settings.modelProvider))
    return false;
  if (sourceKinds && sourceKinds.length > 0 && !sourceKinds.includes("vscode")) return false;
  if (cwd && ![cwd].flat().includes(record.settings.cwd)) return false;
  if (params.excludedThreadIds?.includes(record.id)) return false;
  const term = searchTerm?.toLowerCase();
  return !term || [record.preview, record.name ?? ""].some((text) => text.toLowerCase().includes(term));
}

function cursorOf(ms: number): string {
  return new Date(ms).toISOString();
}

function timeOf(cursor: string): number {
  const ms = Date.parse(cursor);
  if (Number.isNaN(ms)) throw new ResponseError(-32600, `invalid cursor: ${cursor}`);
  return ms;
}

/** Returns a page of sorted ids. */
export function pageOfIds(ids: readonly string[], params: ThreadLoadedListParams): ThreadLoadedListResponse {
  const sorted = ids.toSorted();
  const from = params.cursor ? sorted.findIndex((id) => id > (params.cursor ?? "")) : 0;
  const rest = from === -1 ? [] : sorted.slice(from);
  const data = rest.slice(0, Math.max(1, params.limit ?? rest.length));
  return { data, nextCursor: data.length < rest.length ? (data.at(-1) ?? null) : null };
}
