import type {
  ThreadItem,
  ThreadItemsListParams,
  ThreadItemsListResponse,
  ThreadTurnsListParams,
  Turn,
  TurnItemsView,
  TurnsPage,
} from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { isUserInput } from "./user-input.ts";
import { bareTurn, finalMessage, noUsage, type ThreadRecord, type TurnRecord } from "./record.ts";

/** Turns in wire form. The view selects all items, only the first user message and the final answer, or no items. */
export function wireTurns(turns: readonly TurnRecord[], itemsView: TurnItemsView): Turn[] {
  return turns.map((record) => {
    const all = record.items.map(({ item }) => item);
    return { ...bareTurn(record), items: viewed(all, itemsView), itemsView };
  });
}

function viewed(items: readonly ThreadItem[], view: TurnItemsView): ThreadItem[] {
  if (view === "notLoaded") return [];
  if (view === "full") return [...items];
  const first = items.find((item) => item.type === "userMessage");
  const final = finalMessage(items);
  return [first, final].filter((item) => item !== undefined);
}

type Scope = "turns" | "itemsByCreatedAtOrdinal";

interface Cursor {
  readonly requestedThreadId: string;
  readonly rolloutOrdinal: number;
  readonly includeAnchor: boolean;
  readonly scope: { readonly kind: Scope };
}

function cursor(thread: ThreadRecord, ordinal: number, includeAnchor: boolean, kind: Scope): string {
  const whole: Cursor = {
    requestedThreadId: thread.id,
    rolloutOrdinal: ordinal,
    includeAnchor,
    scope: { kind },
  };
  return JSON.stringify(whole);
}

function parsed(text: string, kind: Scope): Cursor {
  try {
    const found = JSON.parse(text) as Cursor;
    if (found.scope?.kind === kind && typeof found.rolloutOrdinal === "number") return found;
  } catch {
    // The error below reports it.
  }
  throw new ResponseError(-32600, `invalid cursor: ${text}`);
}

interface PageParams {
  readonly cursor?: string | null;
  readonly limit?: number | null;
  readonly sortDirection?: "asc" | "desc" | null;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
  readonly backwardsCursor: string | null;
}

/** Returns one page of entries. Cursors point to the ordinals of entries. */
function pageOf<T extends { readonly ordinal: number }>(
  thread: ThreadRecord,
  all: readonly T[],
  params: PageParams,
  kind: Scope,
  fallback: "asc" | "desc",
): Page<T> {
  const descending = (params.sortDirection ?? fallback) === "desc";
  const sorted = descending ? all.toReversed() : all;
  const from = params.cursor ? parsed(params.cursor, kind) : undefined;
  const rest = sorted.filter(({ ordinal }) => {
    if (!from) return true;
    if (ordinal === from.rolloutOrdinal) return from.includeAnchor;
    return descending ? ordinal < from.rolloutOrdinal : ordinal > from.rolloutOrdinal;
  });
  const data = rest.slice(0, Math.max(1, params.limit ?? 25));
  const first = data[0];
  const last = data.at(-1);
  return {
    data,
    nextCursor: last && data.length < rest.length ? cursor(thread, last.ordinal, false, kind) : null,
    backwardsCursor: first ? cursor(thread, first.ordinal, true, kind) : null,
  };
}

export function turnsPage(record: ThreadRecord, params: Omit<ThreadTurnsListParams, "threadId">): TurnsPage {
  const { data, nextCursor, backwardsCursor } = pageOf(record, record.turns, params, "turns", "desc");
  return { data: wireTurns(data, params.itemsView ?? "summary"), nextCursor, backwardsCursor };
}

export function itemsPage(
  record: ThreadRecord,
  params: Omit<ThreadItemsListParams, "threadId">,
): ThreadItemsListResponse {
  const items = record.turns
    .filter(({ id }) => !params.turnId || id === params.turnId)
    .flatMap((turn) => turn.items.map((entry) => ({ ...entry, turnId: turn.id })))
    .toSorted((a, b) => a.ordinal - b.ordinal);
  const page = pageOf(record, items, params as PageParams, "itemsByCreatedAtOrdinal", "asc");
  return {
    data: page.data.map(({ turnId, item }) => ({
      turnId,
      item,
      startedAtMs: item.startedAtMs ?? null,
      completedAtMs: item.completedAtMs ?? null,
    })),
    nextCursor: page.nextCursor,
    backwardsCursor: page.backwardsCursor,
  };
}

/** Cursors at the last turn and item of the history, for clients that page on from there. */
export function backwardsCursors(record: ThreadRecord): {
  turnsBackwardsCursor: string | null;
  itemsBackwardsCursor: string | null;
} {
  const turn = record.turns.at(-1);
  const item = record.turns.flatMap(({ items }) => items).at(-1);
  return {
    turnsBackwardsCursor: turn ? cursor(record, turn.ordinal, true, "turns") : null,
    itemsBackwardsCursor: item ? cursor(record, item.ordinal, true, "itemsByCreatedAtOrdinal") : null,
  };
}

/**
 * Truncates the conversation to its state before the turn at this index. Finds that place by counting user messages.
 */
function forgetFrom(record: ThreadRecord, turns: number): void {
  let users = 0;
  const at = record.history.findIndex((item) => isUserInput(item) && users++ === turns);
  if (at !== -1) record.history = record.history.slice(0, at);
}

/** A copy of the thread with the history before this turn. */
export function truncated(record: ThreadRecord, beforeTurnId: string): ThreadRecord {
  const at = record.turns.findIndex(({ id }) => id === beforeTurnId);
  const copy = structuredClone(record);
  if (at === -1) return copy;
  copy.turns.splice(at);
  forgetFrom(copy, at);
  return { ...copy, usage: copy.turns.at(-1)?.usage ?? noUsage() };
}

/** The texts of an item that a search looks through: input and answers. */
export function textsOf(item: ThreadItem): string[] {
  if (item.type === "agentMessage") return [item.text];
  if (item.type !== "userMessage") return [];
  return item.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}
