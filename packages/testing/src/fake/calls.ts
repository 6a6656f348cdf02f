import type { Gate } from "../model-gate.ts";
import type { ToolOutcome } from "../model-steps.ts";
import type { WireObject } from "../model-request.ts";
import { runAgentTool } from "./agents.ts";
import { findDynamicTool, runDynamicTool } from "./dynamic-tools.ts";
import { runExec } from "./exec.ts";
import { runMcpTool } from "./mcp-tools.ts";
import { requestPermissions } from "./permissions.ts";
import { updatePlan } from "./plan.ts";
import { requestUserInput } from "./questions.ts";
import type { TurnRun } from "./turn-run.ts";

/** A call of a tool by the model. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  /** JSON, or what the script pretends to be JSON. */
  readonly args: string;
  /** What the script says the tool does. */
  readonly scripted:
    | (ToolOutcome & {
        readonly output?: string | readonly string[];
        readonly exitCode?: number;
        readonly until?: Gate;
      })
    | undefined;
}

/** What the model is told of a call. */
export interface CallOutcome {
  readonly output: string | readonly WireObject[];
  /** The user's decision ends the turn, too. */
  readonly cancelled?: boolean | undefined;
}

type Tool = (run: TurnRun, call: ToolCall, args: WireObject) => Promise<CallOutcome> | CallOutcome;

const TOOLS: Readonly<Record<string, Tool>> = {
  exec_command: runExec,
  shell_command: runExec,
  update_plan: updatePlan,
  request_user_input: requestUserInput,
  request_permissions: requestPermissions,
};

/** Does what the model called for, as far as a server does that has no shell and no MCP servers. */
export async function runCall(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const tool = toolFor(run, call);
  if (!tool) return { output: `unsupported call: ${call.namespace ?? ""}${call.name}` };
  let args: unknown;
  try {
    args = JSON.parse(call.args === "" ? "{}" : call.args);
  } catch (error) {
    return { output: `failed to parse function arguments: ${(error as Error).message}` };
  }
  return await tool(run, call, args as WireObject);
}

function toolFor(run: TurnRun, call: ToolCall): Tool | undefined {
  const { namespace, name } = call;
  const dynamic = findDynamicTool(run.thread, call);
  if (dynamic) return runDynamicTool;
  if (namespace === "multi_agent_v1") return runAgentTool;
  if (namespace?.startsWith("mcp__")) {
    return run.thread.host.mcp.find(run.thread, namespace.slice(5), name, call.scripted) && runMcpTool;
  }
  return namespace === null ? TOOLS[name] : undefined;
}
