import { isDeeperThan, isJsonObject } from "codexwright/internal";
import { parseJson } from "../../core/depth.ts";
import type { ModelEvent, ModelUsage } from "../../core/ports.ts";
import type { WireObject } from "../../core/wire-object.ts";
import { countOf, DEEPEST_ITEM, type ReportedFailure } from "../http/index.ts";

/** The meaning of an event of the stream: an event for the engine, a failure, or nothing. */
export type Meaning = ModelEvent | { readonly type: "failed"; readonly failure: ReportedFailure } | undefined;

/** Reads the data of one server-sent event. Returns `undefined` for unknown events and for wrong JSON. */
export function meaningOf(data: string): Meaning {
  const event = parsed(data);
  if (!event) return undefined;
  switch (event["type"]) {
    case "response.created":
      return { type: "created" };
    case "response.output_item.added":
      return itemEvent("itemAdded", event["item"]);
    case "response.output_item.done":
      return itemEvent("itemDone", event["item"]);
    case "response.output_text.delta":
      return delta(event, (itemId, text) => ({ type: "text", itemId, delta: text }));
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      return delta(event, (itemId, text) => ({ type: "arguments", itemId, delta: text }));
    case "response.reasoning_summary_part.added":
      return {
        type: "summaryPart",
        itemId: textOf(event["item_id"]),
        index: indexOf(event["summary_index"]),
      };
    case "response.reasoning_summary_text.delta": {
      const index = indexOf(event["summary_index"]);
      return delta(event, (itemId, text) => ({ type: "summary", itemId, index, delta: text }));
    }
    case "response.reasoning_text.delta": {
      const index = indexOf(event["content_index"]);
      return delta(event, (itemId, text) => ({ type: "reasoning", itemId, index, delta: text }));
    }
    case "response.completed":
      return { type: "completed", usage: usageOf(objectOf(event["response"])["usage"]) };
    case "response.failed":
      return failed(objectOf(objectOf(event["response"])["error"]));
    case "response.incomplete": {
      const why = textOf(objectOf(objectOf(event["response"])["incomplete_details"])["reason"]);
      const message = `Incomplete response returned, reason: ${why === "" ? "unknown" : why}`;
      return { type: "failed", failure: { reason: "incomplete", message } };
    }
    case "error":
      return failed(isJsonObject(event["error"]) ? event["error"] : event);
    default:
      return undefined;
  }
}

function parsed(data: string): WireObject | undefined {
  try {
    const value: unknown = parseJson(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Items that the engine cannot handle are ignored, like unknown events. */
function itemEvent(type: "itemAdded" | "itemDone", item: unknown): Meaning {
  if (!isJsonObject(item) || typeof item["type"] !== "string") return undefined;
  return isDeeperThan(item, DEEPEST_ITEM) ? undefined : { type, item };
}

/** An empty delta means nothing, so that a stream of empty deltas counts as silent. */
function delta(event: WireObject, make: (itemId: string, text: string) => ModelEvent): Meaning {
  const text = event["delta"];
  if (typeof text !== "string" || text === "") return undefined;
  return make(textOf(event["item_id"]), text);
}

function failed(error: WireObject): Meaning {
  const code = error["code"] ?? error["type"];
  const message = textOf(error["message"]);
  const reason = typeof code === "string" && code !== "error" ? code : undefined;
  return {
    type: "failed",
    failure: { reason, message: message === "" ? (reason ?? "unknown error") : message },
  };
}

function usageOf(value: unknown): ModelUsage {
  const usage = objectOf(value);
  const inputTokens = countOf(usage["input_tokens"]);
  const outputTokens = countOf(usage["output_tokens"]);
  return {
    inputTokens,
    cachedInputTokens: countOf(objectOf(usage["input_tokens_details"])["cached_tokens"]),
    outputTokens,
    reasoningOutputTokens: countOf(objectOf(usage["output_tokens_details"])["reasoning_tokens"]),
    totalTokens: countOf(usage["total_tokens"]) || inputTokens + outputTokens,
  };
}

function objectOf(value: unknown): WireObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const MOST_PARTS = 1e6;

function indexOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_PARTS
    ? value
    : 0;
}
