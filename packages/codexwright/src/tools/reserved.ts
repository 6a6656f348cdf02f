/**
 * Codex's own tools outside of namespaces. `thread/start` takes a dynamic tool of the same name without a
 * word, and then the model never sees it: its calls go to Codex's.
 *
 * Which ones exist depends on the version, the model and the configuration. These are the names that models of
 * 0.98, 0.120, 0.145, 0.155 and 0.166 were offered (their requests were read), and `shell_command`, which
 * vanishes though it is offered to none.
 */
const TOOLS: ReadonlySet<string> = new Set([
  "apply_patch",
  "close_agent",
  "create_goal",
  "exec",
  "exec_command",
  "get_goal",
  "list_mcp_resource_templates",
  "list_mcp_resources",
  "read_mcp_resource",
  "request_permissions",
  "request_user_input",
  "request_user_input_async",
  "resume_agent",
  "send_input",
  "shell_command",
  "spawn_agent",
  "tool_search",
  "update_goal",
  "update_plan",
  "view_image",
  "wait",
  "wait_agent",
  "web_search",
  "write_stdin",
]);

/** Codex's own tools in namespaces; other names in these namespaces do reach the model, beside Codex's. */
const NAMESPACED: ReadonlySet<string> = new Set([
  ...["curr_time", "sleep"].map((tool) => `clock.${tool}`),
  ...["followup_task", "interrupt_agent", "list_agents", "send_message", "spawn_agent", "wait_agent"].map(
    (tool) => `collaboration.${tool}`,
  ),
  ...["close_agent", "resume_agent", "send_input", "spawn_agent", "wait_agent"].map(
    (tool) => `multi_agent_v1.${tool}`,
  ),
]);

/** Refused by `thread/start`: namespaces of the Responses API. */
const NAMESPACES: ReadonlySet<string> = new Set([
  "api_tool",
  "browser",
  "computer",
  "container",
  "file_search",
  "functions",
  "image_gen",
  "multi_tool_use",
  "python",
  "python_user_visible",
  "submodel_delegator",
  "terminal",
  "tool_search",
  "web",
]);

/** Refused by `thread/start`, as a tool and as a namespace: the names of MCP servers' tools. */
const MCP = /^mcp(?:$|__)/;

/** Why a name cannot be had, with the fix; undefined where it can. */
export function reservedProblem(tool: string, namespace: string | undefined): string | undefined {
  if (MCP.test(tool))
    return `tool ${JSON.stringify(tool)} is named like one of an MCP server: choose another name`;
  if (namespace === undefined) {
    if (!TOOLS.has(tool)) return undefined;
    return `tool ${JSON.stringify(tool)} has the name of one of Codex's own, which the model would get instead: choose another, or give it a namespace`;
  }
  if (MCP.test(namespace) || NAMESPACES.has(namespace)) {
    return `namespace ${JSON.stringify(namespace)} of tool ${JSON.stringify(tool)} is reserved: choose another`;
  }
  if (!NAMESPACED.has(`${namespace}.${tool}`)) return undefined;
  return `tool ${JSON.stringify(`${namespace}.${tool}`)} has the name of one of Codex's own, which the model would get instead: choose another`;
}
