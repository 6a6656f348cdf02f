export { deadlineNudge, type AfterTool } from "./after-tool.ts";
export { ToolRunner, type ToolOutcome } from "./tool-runner.ts";
export type { AgentTool, AgentToolContext } from "./context.ts";
export { ToolFailure } from "./failure.ts";
export type { ToolInvoked } from "./tool-invoked.ts";
export { tool } from "./tool.ts";
export { requires, type ToolPolicy } from "./policy.ts";
export { DeadlockError } from "./turn.ts";
