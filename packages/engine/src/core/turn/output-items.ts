import type { MessagePhase, ThreadItem } from "codexwright/protocol";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

export function agentMessage(id: string, text: string, phase: string | null): ThreadItem {
  return {
    type: "agentMessage",
    id,
    text,
    phase: phase as MessagePhase | null,
    memoryCitation: null,
    delivery: null,
    questions: null,
  };
}

/** The thread item that shows an output item of the model, or `undefined` if clients do not see it. */
export function itemOfOutput(item: WireObject): ThreadItem | undefined {
  const id = textOf(item["id"]);
  if (item["type"] === "message") {
    const phase = typeof item["phase"] === "string" ? item["phase"] : null;
    return agentMessage(id, messageText(item), phase);
  }
  if (item["type"] === "reasoning") {
    return { type: "reasoning", id, summary: texts(item["summary"]), content: texts(item["content"]) };
  }
  if (item["type"] === "web_search_call") {
    const action = { queries: null, ...(item["action"] as { query?: unknown } | undefined) };
    const query = typeof action.query === "string" ? action.query : "";
    return { type: "webSearch", id, query, action, results: null } as unknown as ThreadItem;
  }
  return undefined;
}

/** Returns the text of a message. */
export function messageText(item: WireObject): string {
  return texts(item["content"]).join("");
}

function texts(parts: unknown): string[] {
  return Array.isArray(parts)
    ? (parts as ({ text?: unknown } | null)[]).map((part) => textOf(part?.text))
    : [];
}
