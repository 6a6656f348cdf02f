import { CodexError } from "codexwright/rpc";

/** Details of a model failure. */
export interface ModelErrorDetails {
  /**
   * How far the request got. "request": the provider could not build it. "connect": it did not reach the model's
   * server. "status": the server refused it. "stream": the stream broke off or reported an error.
   */
  readonly phase: "request" | "connect" | "status" | "stream";
  /** The HTTP status of a refusal, and its text. */
  readonly status?: number;
  readonly statusText?: string;
  /** The error code that the model's server sent, such as "context_length_exceeded". */
  readonly reason?: string | undefined;
  /** The body of a refusal. */
  readonly body?: string;
  readonly url?: string;
  /** How long the server asks to wait before the next request. */
  readonly retryAfterMs?: number;
  /** Whether the connection was lost before the model began to answer. */
  readonly lost?: boolean;
  /** Whether the same request would fail again, so that it must not be retried. */
  readonly final?: boolean;
}

/** The model did not answer. A `ModelProvider` throws this error from `stream`. */
export class ModelError extends CodexError {
  readonly code = "model_failed";
  readonly details: ModelErrorDetails;

  constructor(message: string, details: ModelErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

/** The error for a stream that ended before it was complete. */
export function cutError(): ModelError {
  return new ModelError("stream closed before response.completed", { phase: "stream" });
}
