import type { JsonValue, McpServerElicitationRequestResponse, ThreadItem } from "codexwright/protocol";
import { unsupported, type CallOutcome, type ToolCall } from "./tool-call.ts";
import { inputText } from "../context/conversation.ts";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import type { McpResult, McpTool } from "../ports.ts";
import { textOf } from "../text.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

type McpItem = Extract<ThreadItem, { type: "mcpToolCall" }>;

/** Finds the MCP tool that a call names. */
export function findMcpTool(run: TurnRun, call: ToolCall): McpTool | undefined {
  const { thread } = run;
  return thread.host.mcp.find({
    threadId: thread.id,
    callId: call.callId,
    server: serverOf(call),
    tool: call.name,
  });
}

function serverOf(call: ToolCall): string {
  return (call.namespace ?? "").slice("mcp__".length);
}

/** Calls a tool of an MCP server, after an approval if the policy requires one. */
export async function runMcpTool(run: TurnRun, call: ToolCall, args: WireObject): Promise<CallOutcome> {
  const server = serverOf(call);
  const tool = findMcpTool(run, call);
  if (!tool) return unsupported(call);
  const item: McpItem = {
    type: "mcpToolCall",
    id: call.callId,
    server,
    tool: call.name,
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
  const refusal = await refusalOf(run, call.callId, server, tool, args);
  const result = refusal === undefined ? await resultOf(run, server, tool, args) : { error: refusal };
  const error = typeof result === "object" && "error" in result ? result.error : undefined;
  const content = typeof result === "object" && "error" in result ? undefined : contentOf(result);
  run.items.complete({
    ...item,
    status: content ? "completed" : "failed",
    result: content ? { content: [...content] as JsonValue[], structuredContent: null, _meta: null } : null,
    error: error === undefined ? null : { message: error },
    durationMs: Date.now() - began,
  });
  const told = content?.map((part) => inputText(textOf(part["text"]))) ?? [inputText(error ?? "")];
  return { output: [inputText("Wall time: 0.0000 seconds\nOutput:"), ...told] };
}

async function resultOf(run: TurnRun, server: string, tool: McpTool, args: WireObject): Promise<McpResult> {
  return await tool.call(args, {
    elicit: async ({ message, requestedSchema }) => {
      const { action, content } = await elicit(run, {
        serverName: server,
        _meta: null,
        message,
        mode: "form",
        requestedSchema,
      });
      return { action, ...(content === null || content === undefined ? {} : { content }) };
    },
  });
}

function contentOf(result: string | readonly WireObject[]): readonly WireObject[] {
  return typeof result === "string" ? [{ type: "text", text: result }] : result;
}

/** Returns why the call is not allowed, or `undefined` if it is. */
async function refusalOf(
  run: TurnRun,
  itemId: string,
  server: string,
  tool: McpTool,
  args: WireObject,
): Promise<string | undefined> {
  const { thread } = run;
  const { approvalPolicy, sandbox } = thread.settings;
  const key = `mcp\0${server}\0${tool.name}`;
  const free = tool.annotations?.readOnlyHint === true || thread.host.mcp.approved(server);
  if (free || thread.allowed.has(key)) return undefined;
  if (approvalPolicy === "never") {
    if (sandbox.type === "dangerFullAccess") return undefined;
    return "MCP tool call requires approval, but approval policy is never";
  }
  if (isAutoReviewed(run)) {
    const title = tool.title ?? null;
    return await autoReview(run, {
      itemId,
      action: {
        type: "mcpToolCall",
        server,
        toolName: tool.name,
        connectorId: null,
        connectorName: null,
        toolTitle: title,
      },
      planned: { arguments: args, server, tool: "mcp_tool_call", tool_name: tool.name, tool_title: title },
    });
  }
  const answer = await elicit(run, {
    serverName: server,
    _meta: {
      codex_approval_kind: "mcp_tool_call",
      persist: ["session", "always"],
      ...(tool.title === undefined ? {} : { tool_title: tool.title }),
      ...(tool.description === undefined ? {} : { tool_description: tool.description }),
      tool_params: args,
      tool_params_display: Object.entries(args).map(([name, value]) => ({ name, value, display_name: name })),
    },
    message: `Allow the ${server} MCP server to run tool "${tool.name}"?`,
    mode: "form",
    requestedSchema: { type: "object", properties: {} },
  });
  if (answer.action === "accept") {
    if ((answer._meta as { persist?: string } | null)?.persist !== undefined) thread.allowed.add(key);
    return undefined;
  }
  return answer.action === "cancel" ? "user cancelled MCP tool call" : "user rejected MCP tool call";
}

/** Asks the user on behalf of an MCP server. A failed request counts as a refusal. */
async function elicit(run: TurnRun, request: WireObject): Promise<McpServerElicitationRequestResponse> {
  const params = { threadId: run.thread.id, turnId: run.id, ...request } as never;
  const answer = await askWaiting(run, "waitingOnApproval", "mcpServer/elicitation/request", params);
  return answer ?? { action: "decline", content: null, _meta: null };
}
