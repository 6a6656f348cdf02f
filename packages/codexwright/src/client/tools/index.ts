export {
  tool,
  type Tool,
  type ToolContent,
  type ToolContext,
  type ToolEffects,
  type ToolNamespace,
  type ToolOptions,
  type ToolResult,
} from "./tool.ts";
