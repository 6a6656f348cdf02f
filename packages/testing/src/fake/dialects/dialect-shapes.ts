import { isJsonObject } from "codexwright/internal";
import type { WireObject } from "../../model-request.ts";

/** The fields that objects have in a version. */
export interface Shapes {
  readonly thread: readonly string[];
  readonly turn: readonly string[];
  readonly error: readonly string[];
  readonly items: Readonly<Record<string, readonly string[]>>;
  readonly rateLimits: readonly string[];
  readonly tokens: readonly string[];
}

export const SHAPES_098: Shapes = {
  thread: [
    "id",
    "preview",
    "modelProvider",
    "createdAt",
    "updatedAt",
    "path",
    "cwd",
    "cliVersion",
    "source",
    "gitInfo",
    "turns",
  ],
  turn: ["id", "items", "status", "error"],
  error: ["message", "codexErrorInfo", "additionalDetails"],
  items: {
    userMessage: ["content"],
    agentMessage: ["text"],
    reasoning: ["summary", "content"],
    commandExecution: [
      "command",
      "cwd",
      "processId",
      "status",
      "commandActions",
      "aggregatedOutput",
      "exitCode",
      "durationMs",
    ],
    fileChange: ["changes", "status"],
    mcpToolCall: ["server", "tool", "status", "arguments", "result", "error", "durationMs"],
    webSearch: ["query", "action"],
    imageView: ["path"],
    enteredReviewMode: ["review"],
    exitedReviewMode: ["review"],
    codeReview: ["review"],
    contextCompaction: [],
  },
  rateLimits: ["primary", "secondary", "credits", "planType"],
  tokens: ["totalTokens", "inputTokens", "cachedInputTokens", "outputTokens", "reasoningOutputTokens"],
};

/** Removes the fields that objects do not have in a version, at any depth. */
export function trimmed(value: unknown, shapes: Shapes, name: string = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => trimmed(each, shapes, singular(name)));
  if (!isJsonObject(value)) return value;
  const fields = fieldsOf(value, shapes, name);
  const kept = fields ? only(value, fields) : value;
  return Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, trimmed(each, shapes, key)]));
}

function fieldsOf(value: WireObject, shapes: Shapes, name: string): readonly string[] | undefined {
  if (name === "thread" || (name === "data" && "preview" in value)) return shapes.thread;
  if (name === "turn") return shapes.turn;
  if (name === "error" && "codexErrorInfo" in value) return shapes.error;
  if (name === "rateLimits") return shapes.rateLimits;
  if (name === "total" || name === "last" || name === "usage") return shapes.tokens;
  const own = name === "item" ? shapes.items[String(value["type"])] : undefined;
  return own && ["type", "id", ...own];
}

function singular(name: string): string {
  return name === "turns" || name === "items" ? name.slice(0, -1) : name;
}

export function only(value: WireObject, fields: readonly string[]): WireObject {
  return Object.fromEntries(fields.flatMap((field) => (field in value ? [[field, value[field]]] : [])));
}
