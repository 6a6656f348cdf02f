export type {
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
  CommandApproval,
  CommandDecision,
  FileChangeApproval,
  McpToolApproval,
  McpToolDecision,
  NetworkApproval,
} from "./approval.ts";
export { isApprovalDecision } from "./decisions.ts";
export { ApprovalRequiredError, InputRequiredError } from "./errors.ts";
export type {
  ElicitationAnswer,
  ElicitationRequest,
  PermissionsAnswer,
  PermissionsRequest,
  RefreshedTokens,
  ServerRequestOptions,
  UserInputAnswers,
  UserInputRequest,
} from "./options.ts";
export { scriptOf } from "./script.ts";
export type { ServerRequestHooks } from "./hooks.ts";
export { serverRequestHandler, type AnyServerRequestHandler } from "./server-request-handler.ts";
