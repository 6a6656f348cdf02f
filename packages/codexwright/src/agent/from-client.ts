import { StartupTimeoutError, TurnFailedError } from "../client/index.ts";
import { OutputInvalidError } from "../schema/output-invalid.ts";
import { messageOf } from "../schema/schema.ts";
import { CodexError, ConnectionClosedError } from "../rpc/errors.ts";
import { AgentError, PromptOutputError } from "./errors.ts";
import { meaningOf, type AgentPhase } from "./phase.ts";

/** The last of stderr is kept up to this length. */
const LONGEST_STDERR = 8192;

/**
 * What a run rejects with, for an error of the client's or of anybody's: that error is its `cause`, and its `code` the
 * same where it has one.
 *
 * @param phase of errors that do not tell it themselves: where the run was
 * @param stderr what the server wrote to stderr, where the error does not tell
 */
export function toAgentError(
  error: unknown,
  phase: AgentPhase,
  promptId: string,
  stderr?: string,
): AgentError {
  if (error instanceof AgentError) return error;
  const details = { promptId, cause: error, stderrTail: (stderrOf(error) ?? stderr)?.slice(-LONGEST_STDERR) };
  if (error instanceof TurnFailedError) {
    const { info, httpStatus, ...meaning } = meaningOf(error.codexErrorInfo);
    const { message, additionalDetails } = error;
    const codex = { message, info, httpStatus: error.httpStatus ?? httpStatus, additionalDetails };
    return new AgentError(error.code, meaning.phase, message, {
      ...details,
      codex,
      retryable: meaning.retryable,
    });
  }
  if (error instanceof OutputInvalidError) {
    return new PromptOutputError(error.message, error.raw, error.issues, details);
  }
  if (error instanceof CodexError) {
    return new AgentError(error.code, phase, error.message, { ...details, retryable: error.retryable });
  }
  return new AgentError("run_failed", phase, messageOf(error), details);
}

function stderrOf(error: unknown): string | undefined {
  const tells = error instanceof ConnectionClosedError || error instanceof StartupTimeoutError;
  return tells ? error.stderrTail : undefined;
}
