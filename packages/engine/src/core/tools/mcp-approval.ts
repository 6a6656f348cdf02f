import { isJsonObject } from "codexwright/internal";
import type { McpServerElicitationRequestResponse } from "codexwright/protocol";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
import { answerByPolicy, isUnrestricted, questionOf } from "../threads/mcp-questions.ts";
import type { McpElicitation, McpTool, McpToolInfo } from "../ports.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

/** Returns why the call is not allowed, or `undefined` if it is. */
export async function mcpRefusal(
  run: TurnRun,
  itemId: string,
  server: string,
  tool: McpTool,
  args: WireObject,
): Promise<string | undefined> {
  const { thread } = run;
  const key = `mcp\0${server}\0${tool.name}`;
  if (!needsApproval(tool) || isUnrestricted(thread.settings)) return undefined;
  // Only a decision by annotations is remembered. A user who wants to be asked is asked each time.
  const remembers = (tool.approval ?? "auto") === "auto";
  if (remembers && thread.rules.accepts(key)) return undefined;
  if (thread.settings.approvalPolicy === "never") {
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
      ...(remembers && { persist: ["session", "always"] }),
      ...(tool.title === undefined ? {} : { tool_title: tool.title }),
      ...(tool.description === undefined ? {} : { tool_description: tool.description }),
      tool_params: args,
      tool_params_display: Object.keys(args)
        .toSorted()
        .map((name) => ({ name, value: args[name], display_name: name })),
    },
    message: `Allow the ${server} MCP server to run tool "${tool.name}"?`,
    mode: "form",
    requestedSchema: { type: "object", properties: {} },
  });
  if (answer.action === "accept") {
    const { _meta: meta } = answer;
    if (remembers && isJsonObject(meta) && meta["persist"] !== undefined) thread.rules.accept(key);
    return undefined;
  }
  return answer.action === "cancel" ? "user cancelled MCP tool call" : "user rejected MCP tool call";
}

/** Asks the user what an MCP server wants to know. The policy may refuse or accept the question instead. */
export async function mcpElicit(run: TurnRun, server: string, request: McpElicitation): Promise<WireObject> {
  const decided = answerByPolicy(run.thread.settings, request);
  if (decided) return decided;
  const { action, content } = await elicit(run, questionOf(server, request));
  return { action, ...(content === null || content === undefined ? {} : { content }) };
}

/** Whether calls of a tool need an approval, by its annotations and by the user's setting for it. */
function needsApproval({ annotations, approval = "auto" }: McpToolInfo): boolean {
  const reads = annotations?.readOnlyHint === true;
  if (approval !== "auto") return approval === "prompt" || (approval === "writes" && !reads);
  if (annotations?.destructiveHint === true) return true;
  return !reads && ((annotations?.destructiveHint ?? true) || (annotations?.openWorldHint ?? true));
}

/** Asks the user on behalf of an MCP server. A failed request counts as a refusal. */
async function elicit(run: TurnRun, request: WireObject): Promise<McpServerElicitationRequestResponse> {
  const params = { threadId: run.thread.id, turnId: run.id, ...request } as never;
  const answer = await askWaiting(run, "waitingOnApproval", "mcpServer/elicitation/request", params);
  return answer ?? { action: "decline", content: null, _meta: null };
}
