import { CodexError } from "../../rpc/errors.ts";
import type { ApprovalRequest } from "./approval.ts";
import type { ElicitationRequest, PermissionsRequest, UserInputRequest } from "./options.ts";

/** The turn needed an approval, and `onApproval` is `"fail"`. */
export class ApprovalRequiredError extends CodexError {
  readonly code = "approval_required";
  readonly request: ApprovalRequest;

  constructor(request: ApprovalRequest) {
    super(`the turn needs an approval (${request.kind}), and onApproval is "fail"`);
    this.request = request;
  }
}

/** The turn asked the user a question, and `onUserInput` is `"fail"`. */
export class InputRequiredError extends CodexError {
  readonly code = "input_required";
  readonly request: UserInputRequest;

  constructor(request: UserInputRequest) {
    super(`the turn asks ${request.questions.length} question(s), and onUserInput is "fail"`);
    this.request = request;
  }
}

/** The agent asked for more permissions, and `onPermissions` is `"fail"`. */
export class PermissionsRequiredError extends CodexError {
  readonly code = "permissions_required";
  readonly request: PermissionsRequest;

  constructor(request: PermissionsRequest) {
    super('the turn asks for more permissions, and onPermissions is "fail"');
    this.request = request;
  }
}

/** An MCP server asked the user for something, and `onElicitation` is `"fail"`. */
export class ElicitationRequiredError extends CodexError {
  readonly code = "elicitation_required";
  readonly request: ElicitationRequest;

  constructor(request: ElicitationRequest) {
    super('an MCP server asks the user for something, and onElicitation is "fail"');
    this.request = request;
  }
}
