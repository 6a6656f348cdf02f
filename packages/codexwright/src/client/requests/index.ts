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
