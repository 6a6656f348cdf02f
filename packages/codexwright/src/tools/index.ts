export { ok, type ToolOk } from "./ok.ts";
export { tool, type Tool, type ToolContext, type ToolOptions, type ToolResult } from "./tool.ts";
