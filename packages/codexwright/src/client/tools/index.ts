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
export { ToolBox, type ToolBoxOptions } from "./tool-calls.ts";
export { toolSpecs, usesNamespaces } from "./tool-spec.ts";
