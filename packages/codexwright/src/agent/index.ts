export { systemClock, type Clock } from "./clock.ts";
export {
  AgentError,
  BudgetExceededError,
  DeadlineExceededError,
  ExpansionRequiredError,
  PromptOutputError,
  type AgentErrorDetails,
} from "./errors.ts";
export {
  BudgetMeter,
  Deadline,
  type Budget,
  type BudgetDimension,
  type BudgetReader,
  type TokenCounts,
} from "./limits.ts";
export {
  jsonSchema,
  type InferInput,
  type InferOutput,
  type Schema,
  type SchemaIssue,
} from "../schema/index.ts";
export { meaningOf, phaseOf, type AgentPhase, type CodexErrorMeaning } from "./phase.ts";
export { toAgentError } from "./from-client.ts";
export * from "./prompt/index.ts";
export * from "./resources/index.ts";
export * from "./run/index.ts";
export * from "./session/index.ts";
export * from "./tools/index.ts";
export {
  ok,
  type OkOptions,
  type Tool,
  type ToolContent,
  type ToolContext,
  type ToolEffects,
  type ToolExample,
  type ToolNamespace,
  type ToolOk,
  type ToolOptions,
  type ToolResult,
} from "../tools/index.ts";
