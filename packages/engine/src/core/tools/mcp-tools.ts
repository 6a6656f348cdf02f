import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import { runMcpTool } from "./mcp-call.ts";
import { untilInterrupted } from "../approvals/ask.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { McpServer, McpToolInfo } from "../ports.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

const PREFIX = "mcp__";
/** The longest name of a tool that the model is offered, with its namespace. As in Codex. */
const LONGEST = 128;

/** The tools that the MCP servers list. */
export function mcpHandlers(thread: LoadedThread): ToolHandler<TurnRun>[] {
  const taken = new Set<string>();
  return inOrder(thread.mcp.list()).flatMap((server) =>
    inOrder(server.tools).map((tool): ToolHandler<TurnRun> => {
      const namespace = `${PREFIX}${safeName(server.name)}`;
      const name = nameOf(thread, namespace, tool.name, taken);
      return {
        name,
        namespace,
        namespaceDescription: server.instructions ?? `Tools of the MCP server "${server.name}".`,
        // A server must expect calls at the same time to tools that only read.
        parallel: tool.parallel === true || tool.annotations?.readOnlyHint === true,
        spec: () => specOf(name, tool),
        run: (call, run) => runNamed(run, call, server, tool.name),
      };
    }),
  );
}

/** Resolves when each MCP server has started or failed, or when the turn is interrupted. The model then gets their tools. */
export async function mcpStarted(run: TurnRun): Promise<void> {
  try {
    run.thread.announceMcp();
    await untilInterrupted(run, run.thread.startMcp());
  } catch (error) {
    if (!run.signal.aborted) run.host.failed(error);
  }
}

/** Finds the MCP tool that a call names. A server may have tools that it does not list. */
export function findMcpTool(
  thread: LoadedThread,
  { callId, name, namespace }: Omit<ToolCall, "input">,
): ToolHandler<TurnRun> | undefined {
  if (!namespace?.startsWith(PREFIX)) return undefined;
  const server = namespace.slice(PREFIX.length);
  const tool = thread.mcp.find({ threadId: thread.id, callId, server, tool: name });
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

async function runNamed(
  run: TurnRun,
  call: ToolCall,
  { name: server }: McpServer,
  toolName: string,
): Promise<CallOutcome> {
  const { thread } = run;
  const tool = thread.mcp.find({ threadId: thread.id, callId: call.callId, server, tool: toolName });
  if (!tool) return { output: `unsupported call: ${call.namespace}${call.name}` };
  return await runMcpTool(run, call, server, tool);
}

function specOf(name: string, { title, description = title, inputSchema }: McpToolInfo): WireObject {
  return {
    type: "function",
    name,
    description: description ?? name,
    strict: false,
    // Models require `properties`, and some servers omit it.
    parameters: { type: "object", ...inputSchema, properties: inputSchema?.["properties"] ?? {} },
  };
}

/** Sorted by name, so that the model gets the same list each time. */
function inOrder<T extends { readonly name: string }>(named: readonly T[]): T[] {
  return named.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function safeName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_]/g, "_");
}

/** The name of a tool for the model: only letters, digits and `_`, not too long, and not taken. */
function nameOf(thread: LoadedThread, namespace: string, name: string, taken: Set<string>): string {
  const safe = safeName(name);
  const whole = `${namespace}__${safe}`;
  if (!taken.has(whole) && whole.length <= LONGEST && safe !== "") {
    taken.add(whole);
    return safe;
  }
  const digest = thread.host.platform.digest("sha1", `${namespace}\0${name}`).slice(0, 12);
  const room = Math.max(0, LONGEST - namespace.length - digest.length - 3);
  const unique = `${safe.slice(0, room)}_${digest}`;
  taken.add(`${namespace}__${unique}`);
  return unique;
}
