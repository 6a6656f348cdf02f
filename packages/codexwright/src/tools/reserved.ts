/**
 * Codex's own tools outside of namespaces. `thread/start` accepts a dynamic tool with the same name without an error,
 * but the model never sees that tool: calls to the name go to the tool of Codex.
 *
 * Which tools exist depends on the version, the model and the configuration. These names were read from the model
 * requests of 0.98, 0.120, 0.145, 0.155 and 0.166. `shell_command` is in the list because a dynamic tool with that name
 * disappears too, although Codex offers no such tool.
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

/**
 * Codex's own tools in namespaces. A dynamic tool with another name in one of these namespaces reaches the model, next
 * to the tools of Codex.
 */
const NAMESPACED: ReadonlySet<string> = new Set([
  ...["curr_time", "sleep"].map((tool) => `clock.${tool}`),
  ...["followup_task", "interrupt_agent", "list_agents", "send_message", "spawn_agent", "wait_agent"].map(
    (tool) => `collaboration.${tool}`,
  ),
  ...["close_agent", "resume_agent", "send_input", "spawn_agent", "wait_agent"].map(
    (tool) => `multi_agent_v1.${tool}`,
  ),
]);

/** Namespaces of the Responses API. `thread/start` rejects them. */
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

/** Names of MCP tools. `thread/start` rejects them as the name of a tool or of a namespace. */
const MCP = /^mcp(?:$|__)/;

/** Returns undefined if the name is available. Otherwise returns why it is reserved, and how to fix that. */
export function reservedProblem(tool: string, namespace: string | undefined): string | undefined {
  if (MCP.test(tool))
    return `tool ${JSON.stringify(tool)} must not be named like an MCP tool ("mcp" or "mcp__…"): choose another name`;
  if (namespace === undefined) {
    if (!TOOLS.has(tool)) return undefined;
    return `tool ${JSON.stringify(tool)} has the same name as a tool of Codex, which the model would call instead: choose another name, or add a namespace`;
  }
  if (MCP.test(namespace) || NAMESPACES.has(namespace)) {
    return `namespace ${JSON.stringify(namespace)} of tool ${JSON.stringify(tool)} is reserved: choose another`;
  }
  if (!NAMESPACED.has(`${namespace}.${tool}`)) return undefined;
  return `tool ${JSON.stringify(`${namespace}.${tool}`)} has the same name as a tool of Codex, which the model would call instead: choose another name`;
}
