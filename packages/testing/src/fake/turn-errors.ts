import { STATUS_CODES } from "node:http";
import type { CodexErrorInfo, TurnError } from "codexwright/protocol";
import type { ModelItem } from "../model-steps.ts";

/** How the real server tells of a request that the model's provider refused. */
export function httpError(item: Extract<ModelItem, { kind: "fail" }>): TurnError {
  const { status, options } = item;
  const { code, message = `scripted failure ${status}` } = options;
  if (code === "model_not_found" && status === 404) return turnError(message, "modelNotFound");
  if (status === 400) return turnError(bodyOf(status, message, code), "other");
  if (status === 429 && code === "usage_limit_reached") {
    return turnError("You’ve hit your usage limit. Try again later.", "usageLimitExceeded");
  }
  if (status === 429) {
    return turnError("exceeded retry limit, last status: 429 Too Many Requests", {
      responseTooManyFailedAttempts: { httpStatusCode: 429 },
    });
  }
  if (status === 500) {
    const text = "We’re currently experiencing high demand, which may cause temporary errors.";
    return turnError(text, "internalServerError");
  }
  if (status === 503 && code === "server_is_overloaded") return overloaded();
  const text = `unexpected status ${status} ${STATUS_CODES[status] ?? ""}: ${message}, url: http://127.0.0.1:0/v1/responses`;
  return turnError(text, { httpConnectionFailed: { httpStatusCode: status } });
}

/** How it tells of a stream that said it had failed. */
export function streamError(code: string, message: string): TurnError {
  switch (code) {
    case "context_length_exceeded":
      return turnError(
        "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
        "contextWindowExceeded",
      );
    case "rate_limit_exceeded":
    case "slow_down":
      return turnError(`rate limit exceeded: ${message}`, "rateLimitExceeded");
    case "server_is_overloaded":
      return overloaded();
    case "insufficient_quota":
      return turnError("Quota exceeded. Check your plan and billing details.", "usageLimitExceeded");
    case "usage_not_included":
      return turnError(
        "To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.",
        "usageLimitExceeded",
      );
    case "cyber_policy":
      return turnError(message, "cyberPolicy");
    case "invalid_prompt":
      return turnError(message, "other");
    default:
      return turnError(`stream disconnected before completion: ${message}`, "other");
  }
}

/** How it tells of a stream that ended too early; `drop` is a connection that broke. */
export function cutError(drop: boolean): TurnError {
  const why = drop
    ? "Transport error: network error: error decoding response body"
    : "stream closed before response.completed";
  return turnError(`stream disconnected before completion: ${why}`, "other");
}

/** A request that the script has no answer to: a scripted model refuses it with 400. */
export function unexpectedError(message: string): TurnError {
  return turnError(bodyOf(400, message, "unexpected_model_call"), "other");
}

export function turnError(message: string, codexErrorInfo: CodexErrorInfo): TurnError {
  return { message, codexErrorInfo, additionalDetails: null, misalignment: null };
}

function overloaded(): TurnError {
  return turnError("Selected model is at capacity. Please try a different model.", "serverOverloaded");
}

function bodyOf(status: number, message: string, code: string | undefined): string {
  const unexpected = code === "unexpected_model_call";
  const type = unexpected
    ? "invalid_request_error"
    : (code ?? (status < 500 ? "invalid_request_error" : "server_error"));
  return JSON.stringify({ error: { message, type, param: null, code: code ?? null } });
}
