export {
  deadlineNudge,
  type AfterTool,
  type AfterToolCall,
  type DeadlineNudgeOptions,
} from "./after-tool.ts";
export { ToolRunner, type ToolRunnerOptions, type ToolOutcome } from "./tool-runner.ts";
export type { AgentTool, AgentToolContext } from "./context.ts";
export { ToolFailure } from "./failure.ts";
export type { ToolErrorKind, ToolInvoked, ToolOrigin } from "./tool-invoked.ts";
export { tool } from "./tool.ts";
export { requires, type PolicyCall, type ToolPolicy, type ToolRecord } from "./policy.ts";
export type { RunSession } from "./run-session.ts";
export { DeadlockError, type CallTurn } from "./turn.ts";
