import { CodexError } from "../../rpc/errors.ts";
import type { ApprovalRequest } from "./approval.ts";
import type { UserInputRequest } from "./options.ts";

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
