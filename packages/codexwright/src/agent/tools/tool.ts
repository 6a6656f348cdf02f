import type { Schema } from "../../schema/schema.ts";
import { tool as clientTool, type Tool, type ToolContext, type ToolOptions } from "../../tools/tool.ts";
import type { AgentToolContext } from "./context.ts";

/**
 * Defines a tool for prompts; the types of `run` come from the schemas, and its context is that of an agent.
 *
 * Throws `invalid_argument`, with every problem at once, for what no server would take. A tool that annotates its context
 * as `ToolContext` may also be given to threads of a client.
 */
export function tool<
  I extends Schema,
  O extends Schema | undefined = undefined,
  C extends ToolContext = AgentToolContext,
>(options: ToolOptions<I, O, C>): Tool<C> {
  return clientTool(options);
}
