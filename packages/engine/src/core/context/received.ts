import { isJsonObject } from "codexwright/internal";
import type { WireObject } from "../wire-object.ts";

/**
 * An output item of a model as it may enter the conversation. A model speaks only as the assistant, and only the engine
 * answers calls: returns `undefined` for an output of a call.
 */
export function received(item: unknown): WireObject | undefined {
  if (!isJsonObject(item)) return undefined;
  const { type } = item;
  if (typeof type !== "string" || type.endsWith("_output")) return undefined;
  return type === "message" && item["role"] !== "assistant" ? { ...item, role: "assistant" } : item;
}
