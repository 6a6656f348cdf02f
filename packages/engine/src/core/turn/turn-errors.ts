import type { CodexErrorInfo, TurnError } from "codexwright/protocol";
import type { ModelError } from "./model-error.ts";
import { REQUEST_LIMIT } from "./request-limit.ts";

/** Converts a model failure to the error that clients receive. */
export function turnErrorOf(error: ModelError): TurnError {
  const { phase, reason, body } = error.details;
  if (phase === "request") return turnError(body ?? error.message, "other");
  if (phase === "connect")
    return turnError(error.message, { httpConnectionFailed: { httpStatusCode: null } });
  return phase === "status" ? statusError(error) : streamError(reason, error.message);
}

/** The real server's error for a request that the model's provider refused. */
function statusError({ message, details }: ModelError): TurnError {
  const { status = 0, statusText = "", reason, body, url = "" } = details;
  if (reason === "model_not_found" && status === 404) return turnError(message, "modelNotFound");
  if (status === 400) return turnError(body ?? message, "other");
  if (status === 429 && reason === "usage_limit_reached") {
    return turnError("You’ve hit your usage limit. Try again later.", "usageLimitExceeded");
  }
  if (status === 429 && reason === "insufficient_quota") return quotaExceeded();
  if (status === 429) {
    return turnError("exceeded retry limit, last status: 429 Too Many Requests", {
      responseTooManyFailedAttempts: { httpStatusCode: 429 },
    });
  }
  if (status === 500) {
    const text = "We’re currently experiencing high demand, which may cause temporary errors.";
    return turnError(text, "internalServerError");
  }
  if (status >= 500 && reason === "server_is_overloaded") return overloaded();
  const text = `unexpected status ${status} ${statusText}: ${message}, url: ${url}`;
  return turnError(text, { httpConnectionFailed: { httpStatusCode: status } });
}

/** The real server's error for a stream that reported a failure or broke off. */
function streamError(reason: string | undefined, message: string): TurnError {
  switch (reason) {
    case "context_length_exceeded":
      return turnError(
        "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
        "contextWindowExceeded",
      );
    case REQUEST_LIMIT:
      return turnError(message, "sessionBudgetExceeded");
    case "rate_limit_exceeded":
    case "slow_down":
      return turnError(`rate limit exceeded: ${message}`, "rateLimitExceeded");
    case "server_is_overloaded":
      return overloaded();
    case "insufficient_quota":
      return quotaExceeded();
    case "usage_not_included":
      return turnError(
        "To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.",
        "usageLimitExceeded",
      );
    case "cyber_policy":
      return turnError(message, "cyberPolicy");
    case "incomplete":
    case "invalid_prompt":
    case "too_large":
      return turnError(message, "other");
    default:
      return turnError(`stream disconnected before completion: ${message}`, "other");
  }
}

export function turnError(message: string, codexErrorInfo: CodexErrorInfo): TurnError {
  return { message, codexErrorInfo, additionalDetails: null, misalignment: null };
}

function overloaded(): TurnError {
  return turnError("Selected model is at capacity. Please try a different model.", "serverOverloaded");
}

function quotaExceeded(): TurnError {
  return turnError("Quota exceeded. Check your plan and billing details.", "usageLimitExceeded");
}
