export { ok, type OkOptions, type ToolOk } from "./ok.ts";
export {
  tool,
  type Tool,
  type ToolContent,
  type ToolContext,
  type ToolEffects,
  type ToolExample,
  type ToolNamespace,
  type ToolOptions,
  type ToolResult,
} from "./tool.ts";
