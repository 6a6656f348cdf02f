import type { JsonValue, McpServerElicitationRequestResponse, ThreadItem } from "codexwright/protocol";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import { inputText } from "../context/conversation.ts";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import type { McpResult, McpTool } from "../ports.ts";
import { textOf } from "../text.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

type McpItem = Extract<ThreadItem, { type: "mcpToolCall" }>;

const PREFIX = "mcp__";

/** The tools that the MCP servers list. */
export function mcpHandlers({ host }: LoadedThread): ToolHandler<TurnRun>[] {
  return host.mcp.list().flatMap(({ name: server, tools }) =>
    tools.map(({ name, title, description = title, inputSchema }) => ({
      name,
      namespace: `${PREFIX}${server}`,
      namespaceDescription: `Tools of the MCP server "${server}".`,
      parallel: true,
      spec: () => ({
        type: "function",
        name,
        description: description ?? name,
        strict: false,
        parameters: inputSchema ?? { type: "object", properties: {} },
      }),
      run: async (call, run) => {
        const handler = findMcpTool(run.thread, call);
        return handler
          ? await handler.run(call, run)
          : { output: `unsupported call: ${call.namespace}${call.name}` };
      },
    })),
  );
}

/** Finds the MCP tool that a call names. A server may have tools that it does not list. */
export function findMcpTool(
  { id: threadId, host }: LoadedThread,
  { callId, name, namespace }: Omit<ToolCall, "input">,
): ToolHandler<TurnRun> | undefined {
  if (!namespace?.startsWith(PREFIX)) return undefined;
  const server = namespace.slice(PREFIX.length);
  const tool = host.mcp.find({ threadId, callId, server, tool: name });
  return (
    tool && {
      name,
      namespace,
      parallel: true,
      spec: () => undefined,
      run: (call, run) => runMcpTool(run, call, server, tool),
    }
  );
}

/** Calls a tool of an MCP server, after an approval if the policy requires one. */
async function runMcpTool(run: TurnRun, call: ToolCall, server: string, tool: McpTool): Promise<CallOutcome> {
  const args = call.input;
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
  if (free || thread.rules.accepts(key)) return undefined;
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
    if ((answer._meta as { persist?: string } | null)?.persist !== undefined) thread.rules.accept(key);
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
