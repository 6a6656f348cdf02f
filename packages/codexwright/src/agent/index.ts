export { systemClock, type Clock } from "./clock.ts";
export {
  AgentError,
  AnswerRequiredError,
  BudgetExceededError,
  DeadlineExceededError,
  ExpansionRequiredError,
  PromptOutputError,
} from "./errors.ts";
export { BudgetMeter, Deadline, type Budget } from "./limits.ts";
export { jsonSchema, type InferInput, type InferOutput, type Schema } from "../schema/index.ts";
export * from "./prompt/index.ts";
export * from "./resources/index.ts";
export * from "./run/index.ts";
export * from "./session/index.ts";
export * from "./tools/index.ts";
export {
  ok,
  type Tool,
  type ToolContext,
  type ToolOk,
  type ToolOptions,
  type ToolResult,
} from "../tools/index.ts";
