import type { JsonValue, ThreadItem } from "codexwright/protocol";
import type { CallOutcome, ToolCall } from "./tool-handler.ts";
import { mcpElicit, mcpRefusal } from "./mcp-approval.ts";
import { mcpOutput, wholeResult } from "./mcp-output.ts";
import type { McpResult, McpTool, McpToolResult } from "../ports.ts";
import { cut } from "../context/budget.ts";
import { untilInterrupted } from "../approvals/ask.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

type McpItem = Extract<ThreadItem, { type: "mcpToolCall" }>;

/** An item has at most this much of a result. As in Codex, a larger one is replaced by a text. */
const MOST_ITEM_BYTES = 1024 * 1024;
const MOST_ITEM_TOKENS = MOST_ITEM_BYTES / 4;
/** The longest message about the progress of a call. */
const LONGEST_PROGRESS = 4_096;
/** The most messages about the progress of a call. */
const MOST_PROGRESS = 1_000;

/** Calls a tool of an MCP server, after an approval if the policy requires one. */
export async function runMcpTool(
  run: TurnRun,
  call: ToolCall,
  server: string,
  tool: McpTool,
): Promise<CallOutcome> {
  const args = call.input;
  const item: McpItem = {
    type: "mcpToolCall",
    id: call.callId,
    server,
    tool: tool.name,
    status: "inProgress",
    arguments: args as JsonValue,
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint: tool.annotations?.readOnlyHint ?? null,
    result: null,
    error: null,
    durationMs: null,
  };
  run.items.start(item);
  const began = Date.now();
  const refusal = await mcpRefusal(run, call.callId, server, tool, args);
  const result = refusal === undefined ? await resultOf(run, call, server, tool, args) : { error: refusal };
  const durationMs = Date.now() - began;
  const whole = wholeResult(result);
  if ("error" in whole) {
    const message = cut(whole.error, MOST_ITEM_TOKENS);
    run.items.complete({ ...item, status: "failed", error: { message }, durationMs });
  } else {
    run.items.complete({
      ...item,
      status: whole.isError ? "failed" : "completed",
      result: forItem(whole),
      durationMs,
    });
  }
  return { output: mcpOutput(whole, durationMs) };
}

async function resultOf(
  run: TurnRun,
  call: ToolCall,
  server: string,
  tool: McpTool,
  args: WireObject,
): Promise<McpResult> {
  let told = 0;
  const called = tool.call(args, {
    signal: run.signal,
    elicit: (request) => mcpElicit(run, server, request),
    progress: (message) => {
      if (run.signal.aborted || ++told > MOST_PROGRESS) return;
      run.notify("item/mcpToolCall/progress", {
        itemId: call.callId,
        message: message.slice(0, LONGEST_PROGRESS),
      });
    },
  });
  return await untilInterrupted(run, Promise.resolve(called));
}

function forItem({ content, structuredContent = null, _meta = null }: McpToolResult): McpItem["result"] {
  const whole = {
    content: [...content] as JsonValue[],
    structuredContent: structuredContent as JsonValue,
    _meta: _meta as JsonValue,
  };
  const text = JSON.stringify(whole);
  if (text.length <= MOST_ITEM_BYTES) return whole;
  return {
    content: [{ type: "text", text: cut(text, MOST_ITEM_TOKENS) }],
    structuredContent: null,
    _meta: null,
  };
}
