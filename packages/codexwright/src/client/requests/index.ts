export type {
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
  BasicDecision,
  CommandApproval,
  CommandDecision,
  ExecpolicyAmendmentDecision,
  FileChangeApproval,
  FileChangeDecision,
  McpToolApproval,
  McpToolDecision,
  NetworkAmendmentDecision,
  NetworkApproval,
  NetworkDecision,
} from "./approval.ts";
export { isApprovalDecision } from "./decisions.ts";
export { ApprovalRequiredError, InputRequiredError } from "./errors.ts";
export type {
  Answering,
  AttestationHandler,
  ElicitationAnswer,
  ElicitationHandler,
  ElicitationRequest,
  PermissionsAnswer,
  PermissionsHandler,
  PermissionsRequest,
  RefreshedTokens,
  ServerRequestOptions,
  TokenRefreshHandler,
  TokenRefreshRequest,
  UserInputAnswers,
  UserInputHandler,
  UserInputRequest,
} from "./options.ts";
export {
  serverRequestHandler,
  type AnyServerRequestHandler,
  type ServerRequestHooks,
} from "./server-request-handler.ts";
