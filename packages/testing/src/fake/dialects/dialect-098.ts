import { isJsonObject } from "codexwright/internal";
import { METHODS } from "codexwright/protocol";
import type { WireMessage } from "codexwright/rpc";
import type { WireObject } from "../../model-request.ts";
import type { FakeDialect } from "./dialect.ts";
import { only, SHAPES_098, trimmed } from "./dialect-shapes.ts";

const VERSION = "0.98.0";

/** Codex 0.98: integer turn ids, no status and no steering, items with fewer fields. */
export const DIALECT_098: FakeDialect = {
  version: VERSION,
  knows: (method) => METHODS.clientRequests[method]?.since === VERSION,
  tells: tells098,
  turnId: (thread) => String(thread.turns.length),
  showsWhatItAsksFor: false,
  endsDeclinedPatchesTwice: true,
  nestsReviews: false,
  startsPhantoms: true,
  speaks: { heard: (message) => message, said: said098 },
};

/** Whether 0.98 sends this message. */
export function tells098(method: string): boolean {
  return (METHODS.serverNotifications[method] ?? METHODS.serverRequests[method])?.since === VERSION;
}

/** The top-level fields of the answers that had fewer fields in 0.98. */
const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  initialize: ["userAgent"],
  "thread/start": ["thread", "model", "modelProvider", "cwd", "approvalPolicy", "sandbox", "reasoningEffort"],
  "thread/resume": [
    "thread",
    "model",
    "modelProvider",
    "cwd",
    "approvalPolicy",
    "sandbox",
    "reasoningEffort",
  ],
  "thread/fork": ["thread", "model", "modelProvider", "cwd", "approvalPolicy", "sandbox", "reasoningEffort"],
  "thread/read": ["thread"],
  "thread/list": ["data", "nextCursor"],
};

/** Translates a server message to the protocol of 0.98. */
export function said098(message: WireMessage, method: string | undefined): WireMessage | undefined {
  if (message.method === undefined) {
    if (!isJsonObject(message.result)) return message;
    const fields = ANSWERS[method ?? ""];
    const result = fields ? only(message.result, fields) : message.result;
    return { id: message.id as number, result: numbered(trimmed(result, SHAPES_098)) };
  }
  const table = message.id === undefined ? METHODS.serverNotifications : METHODS.serverRequests;
  const info = table[message.method];
  if (info?.since !== VERSION || !isJsonObject(message.params)) return undefined;
  const fields = Object.entries(info.fields).filter(([, since]) => since === VERSION);
  const kept = only(
    message.params,
    fields.map(([name]) => name),
  );
  const { item, turn } = kept as { item?: { type?: string }; turn?: WireObject };
  // Calls of client tools were not items yet.
  if (item?.type === "dynamicToolCall") return undefined;
  const params = trimmed(
    message.method === "turn/completed" ? { ...kept, turn: { ...turn, items: [] } } : kept,
    SHAPES_098,
  );
  return { ...(message.id === undefined ? {} : { id: message.id }), method: message.method, params };
}

/**
 * Changes the ids of turns and items in a history. In 0.98, they differ from the ids that were sent while the turn ran.
 */
function numbered(result: unknown): unknown {
  const { thread } = result as { thread?: { turns?: { items: WireObject[] }[] } };
  if (!thread?.turns?.length) return result;
  let count = 0;
  const turns = thread.turns.map((turn, at) => ({
    ...turn,
    id: `turn-${at + 1}`,
    items: turn.items.map((item) => ({ ...item, id: `item-${++count}` })),
  }));
  return { ...(result as object), thread: { ...thread, turns } };
}
