import { isJsonObject } from "codexwright/internal";
import { runAgentTool } from "./agents.ts";
import { findDynamicTool, runDynamicTool } from "./dynamic-tools.ts";
import { runExec } from "./exec.ts";
import { findMcpTool, runMcpTool } from "./mcp-tools.ts";
import { requestPermissions } from "./permissions.ts";
import { updatePlan } from "./plan.ts";
import { requestUserInput } from "./questions.ts";
import { unsupported, type CallOutcome, type ToolCall } from "./tool-call.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

type Tool = (run: TurnRun, call: ToolCall, args: WireObject) => Promise<CallOutcome> | CallOutcome;

const TOOLS: Readonly<Record<string, Tool>> = {
  exec_command: runExec,
  shell_command: runExec,
  update_plan: updatePlan,
  request_user_input: requestUserInput,
  request_permissions: requestPermissions,
};

/** Runs a tool call of the model. */
export async function runCall(run: TurnRun, call: ToolCall): Promise<CallOutcome> {
  const tool = toolFor(run, call);
  if (!tool) return unsupported(call);
  let args: unknown;
  try {
    args = JSON.parse(call.args === "" ? "{}" : call.args);
  } catch (error) {
    return { output: `failed to parse function arguments: ${(error as Error).message}` };
  }
  if (!isJsonObject(args)) return { output: "failed to parse function arguments: not an object" };
  return await tool(run, call, args);
}

function toolFor(run: TurnRun, call: ToolCall): Tool | undefined {
  const { namespace, name } = call;
  const dynamic = findDynamicTool(run.thread, call);
  if (dynamic) return runDynamicTool;
  if (namespace === "multi_agent_v1") return runAgentTool;
  if (namespace?.startsWith("mcp__")) {
    return findMcpTool(run, call) && runMcpTool;
  }
  return namespace === null && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
}
