import type { Json, JsonObject } from "../domain/json.ts";
import type { Answer, Order } from "../domain/orders.ts";
import { Refusal } from "./refusal.ts";

const LONGEST_LINE = 1000;

/** The orders about one issue, by the last part of their paths. */
export const ISSUE_ORDERS = ["stop", "retry", "answer", "clean"] as const;

/** Makes an order from the body of a request. */
export function orderOf(kind: (typeof ISSUE_ORDERS)[number], body: JsonObject): Order {
  const by = byOf(body);
  switch (kind) {
    case "stop":
      only(body, ["by", "reason"]);
      return { kind, by, reason: lineOf(body, "reason") };
    case "answer":
      only(body, ["by", "text", "json"]);
      return { kind, by, answer: answerOf(body) };
    default:
      only(body, ["by"]);
      return { kind, by };
  }
}

/** The person or program that gives the order. */
export function byOf(body: JsonObject): string {
  return lineOf(body, "by") ?? "HTTP";
}

/** Returns a text of one line; null if it is missing. */
export function lineOf(body: JsonObject, key: string): string | null {
  const value = body[key] ?? null;
  if (value === null) return null;
  if (typeof value !== "string" || value.length > LONGEST_LINE) {
    throw invalid(`${key} must be a text of at most ${LONGEST_LINE} characters`);
  }
  return value.replaceAll(/\s+/g, " ").trim() || null;
}

export function flagOf(body: JsonObject, key: string): boolean {
  const value = body[key] ?? false;
  if (typeof value !== "boolean") throw invalid(`${key} must be true or false`);
  return value;
}

/** Throws if the body has another key. A misspelt key must not be ignored. */
export function only(body: JsonObject, keys: readonly string[]): void {
  const other = Object.keys(body).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw invalid(`unknown key ${JSON.stringify(other.slice(0, 50))}: the keys are ${keys.join(", ")}`);
}

function answerOf(body: JsonObject): Answer {
  const text: Json | undefined = body["text"];
  const json: Json | undefined = body["json"];
  if ((text === undefined) === (json === undefined)) throw invalid("the body needs either text or json");
  if (json !== undefined) return { json };
  if (typeof text !== "string" || text.trim() === "") throw invalid("text must be a text that is not empty");
  return { text };
}

function invalid(message: string): Refusal {
  return new Refusal(400, "invalid_request", message);
}
