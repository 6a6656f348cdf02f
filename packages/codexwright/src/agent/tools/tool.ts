import type { Schema } from "../../schema/schema.ts";
import { tool as clientTool, type Tool, type ToolContext, type ToolOptions } from "../../tools/tool.ts";
import type { AgentToolContext } from "./context.ts";

/**
 * Defines a tool for prompts. The schemas determine the types of `run`, and its context is that of an agent.
 *
 * Throws one `invalid_argument` that lists all problems if a server would reject the tool. A tool that annotates its
 * context as `ToolContext` also works with threads of a client.
 */
export function tool<
  I extends Schema,
  O extends Schema | undefined = undefined,
  C extends ToolContext = AgentToolContext,
>(options: ToolOptions<I, O, C>): Tool<C> {
  return clientTool(options);
}
