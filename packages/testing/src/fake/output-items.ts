import type { MessagePhase, ThreadItem } from "codexwright/protocol";
import type { WireObject } from "../model-request.ts";
import { textOf } from "./text.ts";

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

/** The item that an output item of the model is shown as, where there is one. */
export function itemOfOutput(item: WireObject): ThreadItem | undefined {
  const id = textOf(item["id"]);
  if (item["type"] === "message") {
    const content = Array.isArray(item["content"]) ? (item["content"] as { text?: unknown }[]) : [];
    const text = content.map((part) => (typeof part.text === "string" ? part.text : "")).join("");
    return agentMessage(id, text, typeof item["phase"] === "string" ? item["phase"] : null);
  }
  if (item["type"] === "web_search_call") {
    const action = { queries: null, ...(item["action"] as { query?: unknown } | undefined) };
    const query = typeof action.query === "string" ? action.query : "";
    return { type: "webSearch", id, query, action, results: null } as unknown as ThreadItem;
  }
  return undefined;
}
