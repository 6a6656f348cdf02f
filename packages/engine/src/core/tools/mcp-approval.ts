import { isJsonObject } from "codexwright/internal";
import type { McpServerElicitationRequestResponse } from "codexwright/protocol";
import { askWaiting } from "../approvals/ask.ts";
import { autoReview, isAutoReviewed } from "../approvals/auto-review.ts";
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
  if (!needsApproval(tool) || isUnrestricted(run)) return undefined;
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
        .sort()
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
  const isForm = request.mode !== "url";
  const hasFields = isForm && Object.keys(propertiesOf(request.requestedSchema)).length > 0;
  if (isUnrestricted(run) && isForm && !hasFields) return { action: "accept", content: {} };
  if (refusesQuestions(run)) return { action: "decline" };
  const question = isForm
    ? { mode: "form", message: request.message, requestedSchema: request.requestedSchema }
    : { mode: "url", message: request.message, url: request.url, elicitationId: request.elicitationId };
  const asked = { serverName: server, _meta: ownMeta(request._meta), ...question };
  const { action, content } = await elicit(run, asked);
  return { action, ...(content === null || content === undefined ? {} : { content }) };
}

/** Whether calls of a tool need an approval, by its annotations and by the user's setting for it. */
export function needsApproval({ annotations, approval = "auto" }: McpToolInfo): boolean {
  const reads = annotations?.readOnlyHint === true;
  switch (approval) {
    case "approve":
      return false;
    case "prompt":
      return true;
    case "writes":
      return !reads;
    case "auto": {
      if (annotations?.destructiveHint === true) return true;
      if (reads) return false;
      return (annotations?.destructiveHint ?? true) || (annotations?.openWorldHint ?? true);
    }
  }
}

/** Whether the user allows everything without a question. */
function isUnrestricted(run: TurnRun): boolean {
  const { approvalPolicy, sandbox } = run.thread.settings;
  const open = sandbox.type === "dangerFullAccess" || sandbox.type === "externalSandbox";
  return approvalPolicy === "never" && open;
}

function refusesQuestions(run: TurnRun): boolean {
  const { approvalPolicy } = run.thread.settings;
  if (typeof approvalPolicy === "object") return !approvalPolicy.granular.mcp_elicitations;
  return approvalPolicy === "never";
}

/** Without the keys by which clients recognize a question of the engine. A server could otherwise ask in its name. */
function ownMeta(meta: unknown): WireObject | null {
  if (!isJsonObject(meta)) return null;
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith("codex")));
}

function propertiesOf(schema: WireObject): object {
  const properties = schema["properties"];
  return isJsonObject(properties) ? properties : {};
}

/** Asks the user on behalf of an MCP server. A failed request counts as a refusal. */
async function elicit(run: TurnRun, request: WireObject): Promise<McpServerElicitationRequestResponse> {
  const params = { threadId: run.thread.id, turnId: run.id, ...request } as never;
  const answer = await askWaiting(run, "waitingOnApproval", "mcpServer/elicitation/request", params);
  return answer ?? { action: "decline", content: null, _meta: null };
}
