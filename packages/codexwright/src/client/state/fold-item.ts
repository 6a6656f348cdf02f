import type { ThreadItem } from "../../protocol/index.ts";
import { withText, type StateWriter, type TextField } from "./state-writer.ts";
import type { FoldTable } from "./events.ts";
import { asId, asItem, type WireObject } from "./wire-values.ts";
import type { ItemState } from "./state.ts";
import { partialItem } from "./partial-item.ts";

/** Folds one notification of a turn. Returns the item that the notification is about, in its new state. */
export type ItemFold = (writer: StateWriter, turnId: string, params: WireObject) => ThreadItem | undefined;

/** Applies one delta to an item; returns undefined if the delta changes nothing. */
type DeltaFold = (known: ItemState, params: WireObject) => ItemState | undefined;

/**
 * Maximum number of parts: more than any reasoning item has. A larger index is ignored, so that it cannot exhaust the
 * memory.
 */
const MAX_PARTS = 10_000;

/** A text that grows only by appended deltas: the type of its item, and the field of the item that holds the text. */
interface TextStream {
  readonly type: ThreadItem["type"];
  readonly field: TextField;
}

// A map, because a method name from the wire may equal the name of a built-in property of every object.
export const STREAMS: ReadonlyMap<string, TextStream> = new Map<string, TextStream>([
  ["item/agentMessage/delta", { type: "agentMessage", field: "text" }],
  ["item/commandExecution/outputDelta", { type: "commandExecution", field: "aggregatedOutput" }],
]);

export const itemFolds: FoldTable<ItemFold> = {
  "item/started": (writer, turnId, params) => {
    const item = asItem(params["item"]);
    if (!item) return undefined;
    const known = writer.item(turnId, item.id);
    // The start was repeated or late: the known item already has more than a start contains.
    if (known && !known.partial) return known.item;
    const life = known?.life ?? lifeInTurn(writer, turnId);
    const entry: ItemState = known
      ? { ...without(known, "partial"), item: withStreamed(item, known.item) }
      : { item, life };
    writer.putItem(turnId, entry);
    return entry.item;
  },
  "item/completed": (writer, turnId, params) => {
    const item = asItem(params["item"]);
    if (item) completeItem(writer, turnId, item);
    return item;
  },
  ...Object.fromEntries(
    [...STREAMS].map(([method, { type, field }]) => [method, delta(type, appendTo(field))]),
  ),
  "item/plan/delta": delta("plan", appendTo("text")),
  "item/reasoning/summaryPartAdded": delta("reasoning", appendPart("summary", "summaryIndex")),
  "item/reasoning/summaryTextDelta": delta("reasoning", appendPart("summary", "summaryIndex")),
  "item/reasoning/textDelta": delta("reasoning", appendPart("content", "contentIndex")),
  // The server sends the typed text back as output of the terminal.
  "item/commandExecution/terminalInteraction": (writer, turnId, { itemId }) =>
    typeof itemId === "string" ? writer.item(turnId, itemId)?.item : undefined,
  "item/fileChange/outputDelta": delta("fileChange", (known, params) =>
    typeof params["delta"] === "string"
      ? { ...known, output: (known.output ?? "") + params["delta"] }
      : undefined,
  ),
  "item/fileChange/patchUpdated": delta("fileChange", (known, { changes }) =>
    Array.isArray(changes) ? { ...known, item: { ...known.item, changes } as ThreadItem } : undefined,
  ),
  "item/mcpToolCall/progress": delta("mcpToolCall", (known, { message }) =>
    typeof message === "string" ? { ...known, progress: message } : undefined,
  ),
};

/** Stores the final form of an item. Older servers may send it a second time with corrections. */
export function completeItem(writer: StateWriter, turnId: string, item: ThreadItem): void {
  const output = writer.item(turnId, item.id)?.output;
  writer.putItem(turnId, { item, life: "completed", ...(output !== undefined && { output }) });
}

function delta(type: ThreadItem["type"], fold: DeltaFold): ItemFold {
  return (writer, turnId, params) => {
    const itemId = asId(params["itemId"]);
    if (itemId === undefined) return undefined;
    const known = writer.item(turnId, itemId);
    if (known && (known.life === "completed" || known.item.type !== type)) return known.item;
    const before = known ?? {
      item: partialItem(type, itemId),
      life: lifeInTurn(writer, turnId),
      partial: true,
    };
    const after = fold(before, params);
    if (!after) return known?.item;
    if (!writer.turn(turnId)) writer.writeTurn(turnId).partial = true;
    writer.putItem(turnId, after);
    return after.item;
  };
}

// Only append, never read the text: engines keep the pieces and join them on the first read, so a delta costs the same
// for a long text as for a short one.
function appendTo(field: TextField): DeltaFold {
  return (known, params) => {
    const piece = params["delta"];
    if (typeof piece !== "string") return undefined;
    const before = (known.item as { readonly [F in TextField]?: string | null })[field];
    return withText(known, field, (before ?? "") + piece);
  };
}

function appendPart(field: "summary" | "content", indexField: string): DeltaFold {
  return (known, params) => {
    const index = params[indexField];
    // `summaryPartAdded` has no delta.
    const piece = params["delta"] ?? "";
    if (!isPlace(index) || typeof piece !== "string") return undefined;
    const item = known.item as ThreadItem & { readonly [F in typeof field]?: readonly string[] | null };
    const parts = [...(item[field] ?? [])];
    while (parts.length <= index) parts.push("");
    parts[index] += piece;
    return { ...known, item: { ...item, [field]: parts } as ThreadItem };
  };
}

function isPlace(index: unknown): index is number {
  return Number.isInteger(index) && (index as number) >= 0 && (index as number) < MAX_PARTS;
}

/** Combines an item's late start with the text that was streamed before it. */
function withStreamed(started: ThreadItem, streamed: ThreadItem): ThreadItem {
  if (started.type !== streamed.type) return started;
  const from = streamed as unknown as WireObject;
  const kept: Record<string, unknown> = {};
  for (const field of ["text", "summary", "content", "aggregatedOutput", "changes"]) {
    const value = from[field];
    if ((typeof value === "string" || Array.isArray(value)) && value.length > 0) kept[field] = value;
  }
  return { ...started, ...kept };
}

function lifeInTurn(writer: StateWriter, turnId: string): "inProgress" | "incomplete" {
  return (writer.turn(turnId)?.status ?? "inProgress") === "inProgress" ? "inProgress" : "incomplete";
}

function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = value;
  return rest;
}
