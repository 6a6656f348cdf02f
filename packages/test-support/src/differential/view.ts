import type { ScenarioResult } from "@codexwright/testing";
import { NOISE, normalize, type Recording, type Transcript } from "codexwright/recording";
import { requestShapes } from "./model-requests.ts";
import { orderOf } from "./order.ts";

/** Notifications that are left out for a fake, but that an engine must send like the real server. */
const KEPT = new Set(["account/rateLimits/updated", "thread/readState/changed"]);

/** The messages of a run, as the fake is compared with the real server. */
export function messagesOf(result: ScenarioResult): Transcript {
  return transcriptOf(result, NOISE);
}

/** The messages of a run, their order within turns, and the shape of the requests to the model. */
export function everythingOf(result: ScenarioResult): Transcript {
  const lists = itemLists(result.recording);
  const [header, ...entries] = result.recording;
  const recording = header === undefined ? [] : [header, ...lists, ...entries];
  const drop = NOISE.filter((method) => !KEPT.has(method));
  const messages = withOwnNames(transcriptOf({ ...result, recording }, drop), lists);
  return [...messages, ...orderOf(messages), ...requestShapes(result)];
}

function transcriptOf({ recording, workspace }: ScenarioResult, drop: readonly string[]): Transcript {
  if (recording.length === 0) return [];
  return normalize(recording, { drop, ...(workspace !== undefined && { paths: { workspace } }) });
}

const ITEMS = "(items)";

/**
 * Lists the items of each thread whose ids the scripted model chose. Put before a recording, the lists make these items
 * the first that get names, so that their names are known.
 */
function itemLists(recording: Recording): readonly RecordedMessage[] {
  const ids = new Map<string, Set<string>>();
  for (const line of recording) {
    const { threadId, item } = ("message" in line ? (line.message["params"] ?? {}) : {}) as Params;
    if (threadId === undefined || item === undefined || !/^(call|msg|rs|fc)_[^-]*$/.test(item.id)) continue;
    ids.set(threadId, (ids.get(threadId) ?? new Set()).add(item.id));
  }
  return [...ids].map(([threadId, items]) => ({
    connection: 1,
    ms: 0,
    direction: "in",
    message: { method: ITEMS, params: { threadId, items: [...items].map((id) => ({ id })) } },
  }));
}

/**
 * Replaces names such as `item-2` and `process-1`, which depend on the order in which items appear, by names that do
 * not: the id that the model chose, or the type of the item and its number among items of that type.
 */
function withOwnNames(transcript: Transcript, lists: readonly RecordedMessage[]): Transcript {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const told = transcript.filter(({ method }) => method === ITEMS);
  for (const [index, { params }] of told.entries()) {
    const { threadId, items = [] } = params as Params;
    const own = (lists[index]?.message["params"] as Params | undefined)?.items ?? [];
    const rank = rankOf(own.map(({ id }) => id));
    for (const [at, { id }] of items.entries()) names.set(id, `${threadId}/${rank(own[at]?.id ?? id)}`);
  }
  for (const { params } of transcript) {
    const { threadId, item } = (params ?? {}) as Params;
    if (threadId === undefined || item?.id === undefined) continue;
    if (!names.has(item.id)) {
      const kind = `${threadId}/${item.type}`;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      names.set(item.id, `${kind}-${count}`);
    }
    if (typeof item.processId === "string") names.set(item.processId, `process of ${names.get(item.id)}`);
  }
  const shown = transcript.filter(({ method }) => method !== ITEMS);
  const asked = new Map<unknown, string>();
  for (const { kind, direction, id, params } of shown) {
    const { itemId } = (params ?? {}) as Params;
    if (kind === "request" && direction === "in" && id !== undefined && itemId !== undefined) {
      asked.set(id, itemId);
      names.set(id, `request about ${names.get(itemId) ?? itemId}`);
    }
  }
  const text = JSON.stringify(shown.map((message) => aboutItem(message, asked)));
  const named = text.replaceAll(
    /"(thread-\d+\/(?:item|server-request)-\d+|process-\d+)"/g,
    (_all, name: string) => JSON.stringify(names.get(name) ?? name),
  );
  return JSON.parse(named) as Transcript;
}

/**
 * Replaces the number of the request in an id of the scripted model by its rank within the thread. Requests of several
 * threads arrive in any order.
 */
function rankOf(ids: readonly string[]): (id: string) => string {
  const numbers = [...new Set(ids.map((id) => Number(id.split("_")[1])))].toSorted((a, b) => a - b);
  return (id) => id.replace(/_(\d+)/, (_all, number: string) => `_${numbers.indexOf(Number(number))}`);
}

/** Says which item a resolved request was about, so that it is compared with the messages about that item. */
function aboutItem(message: Transcript[number], asked: ReadonlyMap<unknown, string>): Transcript[number] {
  const params = (message.params ?? {}) as Params;
  const itemId = asked.get(params.requestId);
  if (message.method !== "serverRequest/resolved" || itemId === undefined) return message;
  return { ...message, params: { ...params, itemId } };
}

interface Params {
  readonly itemId?: string;
  readonly requestId?: string;
  readonly threadId?: string;
  readonly item?: { readonly id: string; readonly type: string; readonly processId?: string | null };
  readonly items?: readonly { readonly id: string }[];
}

type RecordedMessage = Extract<Recording[number], { message: unknown }>;
