import { StartupTimeoutError, TurnFailedError } from "../client/index.ts";
import { OutputInvalidError } from "../schema/output-invalid.ts";
import { messageOf } from "../schema/schema.ts";
import { CodexError, ConnectionClosedError } from "../rpc/errors.ts";
import { AgentError, PromptOutputError } from "./errors.ts";
import { meaningOf, type AgentPhase } from "./phase.ts";

/** Maximum length of the stderr tail in an error. */
const LONGEST_STDERR = 8192;

/**
 * Converts any error into the `AgentError` that the run rejects with. The original error becomes the `cause`; its
 * `code` is kept if it has one.
 *
 * @param phase the phase the run was in, for errors that do not determine it themselves
 * @param stderr the server's stderr output, for errors that do not contain it themselves
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
