import { ModelError } from "../../core/turn/model-error.ts";
import { retryAfterText } from "../http/index.ts";

/** Messages of a server whose model has no room for the conversation. */
const NO_ROOM = [
  // OpenAI, vLLM, OpenRouter
  /maximum context length|context_length_exceeded|context window/i,
  // Anthropic
  /prompt is too long|exceeds? (?:the )?context limit/i,
  // Google
  /input token count .{0,40}exceeds/i,
  // llama.cpp, LM Studio
  /exceeds? the available context size|exceed_context_size|tokens to keep from the initial prompt/i,
];

/**
 * Returns an error with the reason that the engine knows, in place of the server's own word for it. Each API has words of
 * its own.
 */
export function classified(error: ModelError): ModelError {
  const { message, details } = error;
  const { phase, status = 0, reason, body = "" } = details;
  if (phase === "status" && (status === 400 || status === 413) && isTooLong(reason, `${message} ${body}`)) {
    return new ModelError(message, { ...details, phase: "stream", reason: "context_length_exceeded" });
  }
  if (phase === "status" && status === 404 && /\bmodels?\b/i.test(`${message} ${body}`)) {
    return new ModelError(message, { ...details, reason: "model_not_found" });
  }
  const known = status === 529 ? "server_is_overloaded" : reasonOf(reason, message);
  // Google tells the wait in the message only.
  const waitMs = details.retryAfterMs ?? (status === 429 ? retryAfterText(message) : undefined);
  if (known === reason && waitMs === details.retryAfterMs) return error;
  return new ModelError(message, {
    ...details,
    reason: known,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  });
}

/** The engine's word for a reason of a server. */
export function reasonOf(reason: string | undefined, message: string): string | undefined {
  if (isTooLong(reason, message)) return "context_length_exceeded";
  switch (reason) {
    case "overloaded_error":
    case "UNAVAILABLE":
      return "server_is_overloaded";
    case "rate_limit_error":
    case "RESOURCE_EXHAUSTED":
      return "rate_limit_exceeded";
    default:
      return reason;
  }
}

function isTooLong(reason: string | undefined, text: string): boolean {
  return reason === "context_length_exceeded" || NO_ROOM.some((pattern) => pattern.test(text));
}
