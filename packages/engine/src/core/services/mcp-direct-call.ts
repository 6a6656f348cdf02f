import { isJsonObject } from "codexwright/internal";
import type { McpServerToolCallParams, McpServerToolCallResponse } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { uuid7 } from "../ids.ts";
import { answerByPolicy, questionOf } from "../threads/mcp-questions.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { McpElicitation, McpResult } from "../ports.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import type { WireObject } from "../wire-object.ts";

/** Calls a tool for a client, without the model and without an approval: the client asks for the call itself. */
export async function directCall(
  host: ThreadsHost,
  { threadId, server, tool: name, arguments: args = {} }: McpServerToolCallParams,
): Promise<McpServerToolCallResponse> {
  const thread = host.loaded.find(threadId);
  await thread.startMcp();
  const tool = thread.mcp.find({ threadId, callId: uuid7(), server, tool: name, unlisted: true });
  if (!tool) {
    const known = thread.mcp.states().some((state) => state.name === server);
    const problem = known
      ? `tool '${name}' is disabled for MCP server '${server}'`
      : `unknown MCP server '${server}'`;
    throw new ResponseError(-32603, problem);
  }
  const ended = new AbortController();
  try {
    const result = await tool.call(isJsonObject(args) ? args : {}, {
      signal: ended.signal,
      elicit: (request) => elicited(thread, server, request, ended.signal),
      progress: () => {},
    });
    return responseOf(result);
  } finally {
    ended.abort();
  }
}

async function elicited(
  thread: LoadedThread,
  server: string,
  request: McpElicitation,
  signal: AbortSignal,
): Promise<WireObject> {
  const decided = answerByPolicy(thread.settings, request);
  if (decided) return decided;
  const params = { threadId: thread.id, turnId: null, ...questionOf(server, request) } as never;
  const asked = thread.channel.request("mcpServer/elicitation/request", params, { signal });
  const { action, content } = await asked.catch(() => ({ action: "decline", content: null }));
  return { action, ...(content !== null && { content }) };
}

function responseOf(result: McpResult): McpServerToolCallResponse {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  if ("error" in result) throw new ResponseError(result.code ?? -32603, result.error);
  const whole = "content" in result ? result : { content: result };
  // The server sent JSON, so everything in its result is JSON.
  return { ...whole } as unknown as McpServerToolCallResponse;
}
