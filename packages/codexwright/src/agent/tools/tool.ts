import type { Schema } from "../../schema/schema.ts";
import { tool as clientTool, type Tool, type ToolContext, type ToolOptions } from "../../tools/tool.ts";
import type { AgentToolContext } from "./context.ts";

/**
 * Defines a tool for prompts. The schemas determine the types of `run`, and `run` receives the context of an agent's
 * tool call.
 *
 * Throws one `invalid_argument` that lists all problems if a server would reject the tool. If `run` declares its
 * context as `ToolContext`, the tool also works with threads of a client.
 */
export function tool<
  I extends Schema,
  O extends Schema | undefined = undefined,
  C extends ToolContext = AgentToolContext,
>(options: ToolOptions<I, O, C>): Tool<C> {
  return clientTool(options);
}
