import type { ThreadItem } from "codexwright/protocol";
import { untilInterrupted } from "../approvals/ask.ts";
import { cut, OUTPUT_TOKENS } from "../context/budget.ts";
import { MCP_RESOURCE_SPECS } from "../instructions/tool-specs.ts";
import { textOf } from "../text.ts";
import type { McpConnections, McpResourceKind } from "../ports.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

type McpItem = Extract<ThreadItem, { type: "mcpToolCall" }>;
type Read = (mcp: McpConnections, args: WireObject) => Promise<WireObject>;

/** The tools by which a model reads what MCP servers offer. They are on offer if a thread has MCP servers. */
export const RESOURCE_TOOLS: readonly ToolHandler<TurnRun>[] = [
  resourceTool("list_mcp_resources", (mcp, args) => list(mcp, args, "resources")),
  resourceTool("list_mcp_resource_templates", (mcp, args) => list(mcp, args, "resourceTemplates")),
  resourceTool("read_mcp_resource", read),
];

function resourceTool(name: string, work: Read): ToolHandler<TurnRun> {
  return {
    name,
    parallel: true,
    spec: (run) => (run.thread.mcp.states().length > 0 ? MCP_RESOURCE_SPECS[name] : undefined),
    run: (call, run) => perform(run, call, work),
  };
}

async function perform(run: TurnRun, call: ToolCall, work: Read): Promise<CallOutcome> {
  const { thread } = run;
  const problem = problemOf(thread.mcp, call);
  if (problem !== undefined) return { output: problem };
  const item: McpItem = {
    type: "mcpToolCall",
    id: call.callId,
    server: textOf(call.input["server"]).trim() || "codex",
    tool: call.name,
    status: "inProgress",
    arguments: call.input as McpItem["arguments"],
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint: null,
    result: null,
    error: null,
    durationMs: null,
  };
  run.items.start(item);
  const began = Date.now();
  const { output, error } = await answered(run, () => work(thread.mcp, call.input));
  run.items.complete({
    ...item,
    status: error === undefined ? "completed" : "failed",
    result:
      error === undefined
        ? { content: [{ type: "text", text: output }], structuredContent: null, _meta: null }
        : null,
    error: error === undefined ? null : { message: error },
    durationMs: Date.now() - began,
  });
  return { output: error ?? output };
}

/** Returns why a call has no server to ask. Such a call has no item. */
function problemOf(mcp: McpConnections, { name, input }: ToolCall): string | undefined {
  const server = textOf(input["server"]).trim();
  if (name === "read_mcp_resource") {
    if (server === "") return "server must be provided";
    if (textOf(input["uri"]).trim() === "") return "uri must be provided";
  }
  const isKnown = server === "" || mcp.states().some((state) => state.name === server);
  return isKnown ? undefined : `unknown MCP server '${server}'`;
}

async function answered(
  run: TurnRun,
  work: () => Promise<WireObject>,
): Promise<{ readonly output: string; readonly error?: string }> {
  try {
    return { output: cut(JSON.stringify(await untilInterrupted(run, work())), OUTPUT_TOKENS) };
  } catch (error) {
    run.signal.throwIfAborted();
    return { output: "", error: cut((error as Error).message, OUTPUT_TOKENS) };
  }
}

async function list(mcp: McpConnections, args: WireObject, kind: McpResourceKind): Promise<WireObject> {
  const server = textOf(args["server"]).trim();
  const cursor = textOf(args["cursor"]).trim();
  if (server !== "") {
    const { items, nextCursor } = await mcp.resources(server, kind, cursor === "" ? undefined : cursor);
    return { server, [kind]: withServer(server, items), ...(nextCursor !== undefined && { nextCursor }) };
  }
  if (cursor !== "") throw new Error("cursor can only be used when a server is specified");
  const names = mcp.list().map(({ name }) => name);
  const all = await Promise.all(
    names
      .toSorted()
      .map(async (name) => withServer(name, await mcp.allResources(name, kind).catch(() => []))),
  );
  return { [kind]: all.flat() };
}

async function read(mcp: McpConnections, args: WireObject): Promise<WireObject> {
  const server = textOf(args["server"]).trim();
  const uri = textOf(args["uri"]).trim();
  return { server, uri, ...(await mcp.read(server, uri)) };
}

function withServer(server: string, items: readonly WireObject[]): WireObject[] {
  return items.map((item) => ({ server, ...item }));
}
