import { isJsonObject } from "../rpc/json.ts";
import type { RequestId, RpcErrorObject } from "../rpc/message.ts";
import { DEEPEST_MESSAGE, isDeepText } from "../rpc/values.ts";

/** A parsed line from a client. */
export type Incoming =
  | {
      readonly kind: "request";
      readonly id: RequestId;
      /** The id as JSON text for the answer, because a number may have more digits than JavaScript can represent. */
      readonly idText: string;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: "answer"; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RequestId; readonly error: RpcErrorObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  /** A line that cannot be answered and has no effect. */
  | { readonly kind: "ignored" };

const IGNORED: Incoming = { kind: "ignored" };

/**
 * Parses a line like the real server does. Tries request, notification, answer and error in this order, and returns the
 * first kind that fits. A request whose id is neither a string nor an integer, or whose `trace` is invalid, counts as a
 * notification.
 */
export function readIncoming(line: string): Incoming {
  if (isDeepText(line, DEEPEST_MESSAGE)) return IGNORED;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return IGNORED;
  }
  if (!isJsonObject(value)) return IGNORED;
  const { id, method, params, error } = value;
  if (typeof method === "string") {
    if (!isId(id) || !isTrace(value["trace"])) return { kind: "notification", method, params };
    return { kind: "request", id, idText: idText(id, line), method, params };
  }
  if (!isId(id)) return IGNORED;
  if ("result" in value) return { kind: "answer", id, result: value["result"] };
  return isRpcError(error) ? { kind: "error", id, error } : IGNORED;
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
}

function isTrace(trace: unknown): boolean {
  if (trace === undefined || trace === null) return true;
  if (!isJsonObject(trace)) return false;
  return [trace["traceparent"], trace["tracestate"]].every(
    (part) => part === undefined || part === null || typeof part === "string",
  );
}

function isRpcError(error: unknown): error is RpcErrorObject {
  return isJsonObject(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string";
}

function idText(id: RequestId, line: string): string {
  if (typeof id === "string" || Number.isSafeInteger(id)) return JSON.stringify(id);
  return digitsOfId(line) ?? JSON.stringify(id);
}

/**
 * Returns the digits of the top-level member `id`. Skips strings and nested values. Does not use a regular expression,
 * because it would exhaust the stack on a string of many megabytes, which a client could send.
 */
function digitsOfId(line: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === '"') {
      const end = endOfString(line, at);
      if (depth === 1 && line.slice(at, end) === '"id"') {
        const digits = /^\s*:\s*(-?\d+)\s*[,}]/.exec(line.slice(end));
        if (digits) return digits[1];
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Returns the position after the string that begins at `start`. */
function endOfString(line: string, start: number): number {
  let at = start + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === "\\" ? 2 : 1;
  return at + 1;
}
