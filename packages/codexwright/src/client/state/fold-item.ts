import type { ThreadItem } from "../../protocol/index.ts";
import { withText, type StateWriter, type TextField } from "./state-writer.ts";
import type { FoldTable } from "./events.ts";
import { asId, asItem, type WireObject } from "./wire-values.ts";
import type { ItemState } from "./state.ts";
import { partialItem } from "./partial-item.ts";

/** Folds one notification of a turn; gives the item it was about, as it is now. */
export type ItemFold = (writer: StateWriter, turnId: string, params: WireObject) => ThreadItem | undefined;

/** What one delta makes of an item; undefined if it makes nothing of it. */
type DeltaFold = (known: ItemState, params: WireObject) => ItemState | undefined;

/** More parts than any reasoning has: an index beyond must not fill the memory. */
const MAX_PARTS = 10_000;

/** A text that deltas only add to: of which items, and where it is. */
interface TextStream {
  readonly type: ThreadItem["type"];
  readonly field: TextField;
}

// A map, because a name off the wire may be one that every object has.
export const STREAMS: ReadonlyMap<string, TextStream> = new Map<string, TextStream>([
  ["item/agentMessage/delta", { type: "agentMessage", field: "text" }],
  ["item/commandExecution/outputDelta", { type: "commandExecution", field: "aggregatedOutput" }],
]);

export const itemFolds: FoldTable<ItemFold> = {
  "item/started": (writer, turnId, params) => {
    const item = asItem(params["item"]);
    if (!item) return undefined;
    const known = writer.item(turnId, item.id);
    // Said twice, or late: what is known is more than a start can tell.
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
  // What was typed into a terminal comes back as its output.
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

/** Takes an item for what it finally is; a second time too, because older servers correct themselves. */
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

// The text of an item is only ever added to, never read: engines keep the pieces and join them when somebody
// looks, so a long text costs no more a delta than a short one.
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
    // That a part was added is told without a delta.
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

/** An item as it started, with what had been streamed of it before. */
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
