import { CodexError } from "../../rpc/errors.ts";

/**
 * A tool cannot do what the model asked. The message is for the model. `context.fail(message)` throws this error. The
 * call is then rolled back and answered as failed.
 */
export class ToolFailure extends CodexError {
  readonly code = "tool_failure";
}
