import type {
  JsonValue,
  McpServerElicitationRequestParams,
  McpServerElicitationRequestResponse,
  ThreadItem,
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
} from "../../protocol/index.ts";
import type { McpToolApproval, McpToolDecision } from "./approval.ts";
import { record, text } from "../connection/wire.ts";

/** True if the elicitation is Codex's own question whether a tool may run, and does not come from the MCP server. */
export function asksForTool(raw: McpServerElicitationRequestParams): boolean {
  return record(raw._meta)["codex_approval_kind"] === "mcp_tool_call";
}

/** Reads the approval of an MCP tool on servers from 0.115 on: an elicitation with markers in its `_meta`. */
export function elicitedApproval(
  raw: McpServerElicitationRequestParams,
  signal: AbortSignal,
): McpToolApproval {
  const meta = record(raw._meta);
  const message = text(record(raw)["message"]) ?? "";
  const persist = [meta["persist"]].flat();
  return {
    kind: "mcpTool",
    threadId: raw.threadId,
    turnId: raw.turnId ?? undefined,
    itemId: undefined,
    reason: undefined,
    available: [
      "accept",
      ...(persist.includes("session") ? (["acceptForSession"] as const) : []),
      ...(persist.includes("always") ? (["acceptAlways"] as const) : []),
      "decline",
      "cancel",
    ],
    signal,
    raw,
    serverName: raw.serverName,
    // Some servers name the tool only in the message text.
    tool: text(meta["tool_name"]) ?? / to run tool "([\w.-]+)"\?$/.exec(message)?.[1],
    toolTitle: text(meta["tool_title"]),
    toolDescription: text(meta["tool_description"]),
    arguments: meta["tool_params"] as JsonValue | undefined,
    message,
  };
}

/** A decision that is not offered is replaced by one that is remembered for a shorter time, never for longer. */
const LESSER: Readonly<Record<McpToolDecision, readonly McpToolDecision[]>> = {
  acceptAlways: ["acceptAlways", "acceptForSession", "accept"],
  acceptForSession: ["acceptForSession", "accept"],
  accept: ["accept"],
  decline: ["decline", "cancel"],
  cancel: ["cancel", "decline"],
};

const PERSIST: Readonly<Partial<Record<McpToolDecision, "session" | "always">>> = {
  acceptForSession: "session",
  acceptAlways: "always",
};

/** The answer to {@link elicitedApproval}. */
export function elicitedAnswer(
  decision: McpToolDecision,
  available: readonly McpToolDecision[],
): McpServerElicitationRequestResponse {
  if (decision === "decline" || decision === "cancel") {
    return { action: decision, content: null, _meta: null };
  }
  const persist = PERSIST[offered(decision, available)];
  return { action: "accept", content: {}, _meta: persist === undefined ? null : { persist } };
}

/** True if the question asks for the approval of a tool, as servers before 0.115 do. */
export function isApprovalQuestion({ id }: ToolRequestUserInputQuestion): boolean {
  return id.startsWith("mcp_tool_call_approval");
}

/**
 * @param item the tool call, as far as it is known, because the question names the server and the tool only in its text
 */
export function askedApproval(
  raw: ToolRequestUserInputParams,
  question: ToolRequestUserInputQuestion,
  item: ThreadItem | undefined,
  signal: AbortSignal,
): McpToolApproval {
  const call = item?.type === "mcpToolCall" ? item : undefined;
  const decisions: McpToolDecision[] = ["accept", "acceptForSession", "acceptAlways", "decline", "cancel"];
  return {
    kind: "mcpTool",
    threadId: raw.threadId,
    turnId: raw.turnId,
    itemId: raw.itemId,
    reason: undefined,
    available: decisions.filter((decision) => labelOf(question, decision) !== undefined),
    signal,
    raw,
    serverName: call?.server,
    tool: call?.tool,
    toolTitle: undefined,
    toolDescription: undefined,
    arguments: call?.arguments,
    message: question.question,
  };
}

/** The label that answers {@link askedApproval}. */
export function askedAnswer(question: ToolRequestUserInputQuestion, decision: McpToolDecision): string {
  const label = LESSER[decision].map((word) => labelOf(question, word)).find((found) => found !== undefined);
  return label ?? WORDS[decision];
}

/** The option labels of 0.98, used to answer a question that lists no options. */
const WORDS: Readonly<Record<McpToolDecision, string>> = {
  accept: "Approve Once",
  acceptForSession: "Approve this Session",
  acceptAlways: "Approve this Session",
  decline: "Deny",
  cancel: "Cancel",
};

/**
 * Matches the labels of 0.98 to 0.166: "Approve Once", "Allow", "Approve this Session", "Allow and don't ask me
 * again", …
 */
const LABELS: Readonly<Record<McpToolDecision, RegExp>> = {
  accept: /^(approve|allow)( once)?$/i,
  acceptForSession: /^(approve|allow)\b.*\bsession\b/i,
  acceptAlways: /^(approve|allow|always)\b.*\b(always|don't ask|remember)\b/i,
  decline: /^(deny|decline)\b/i,
  cancel: /^cancel\b/i,
};

function labelOf(question: ToolRequestUserInputQuestion, decision: McpToolDecision): string | undefined {
  return question.options?.find(({ label }) => LABELS[decision].test(label))?.label;
}

function offered(decision: McpToolDecision, available: readonly McpToolDecision[]): McpToolDecision {
  return LESSER[decision].find((candidate) => available.includes(candidate)) ?? "accept";
}
