import type { JsonValue, McpServerElicitationRequestResponse } from "../../protocol/index.ts";
import { record } from "../connection/wire.ts";

/** The answer that declines an elicitation. */
export const DECLINED: McpServerElicitationRequestResponse = {
  action: "decline",
  content: null,
  _meta: null,
};

/** Converts a handler's answer to its wire form. Returns `undefined` if the answer is invalid. */
export function toWireElicitation(value: unknown): McpServerElicitationRequestResponse | undefined {
  const { action, content = null, _meta = null } = record(value);
  if (action === "decline" || action === "cancel") return { ...DECLINED, action };
  if (action !== "accept") return undefined;
  return { action, content: content as JsonValue, _meta: _meta as JsonValue };
}
