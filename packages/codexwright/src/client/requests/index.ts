export type {
  ApprovalDecision,
  ApprovalRequest,
  CommandApproval,
  FileChangeApproval,
  McpToolApproval,
  NetworkApproval,
} from "./approval.ts";
export { isApprovalDecision } from "./decisions.ts";
export {
  ApprovalRequiredError,
  ElicitationRequiredError,
  InputRequiredError,
  PermissionsRequiredError,
} from "./errors.ts";
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
export { serverRequestHandler } from "./server-request-handler.ts";
