import { CodexError } from "codexwright/rpc";

/** Details of a failed model request. */
export interface ModelErrorDetails {
  /**
   * How far the request got: the provider could not create it, could not reach the model's server, was refused by
   * that server, or the stream broke off or reported a failure.
   */
  readonly phase: "request" | "connect" | "status" | "stream";
  /** The HTTP status of a refusal, and its text. */
  readonly status?: number;
  readonly statusText?: string;
  /** The error code of the model's server, such as "context_length_exceeded". */
  readonly reason?: string | undefined;
  /** The body of a refusal. */
  readonly body?: string;
  readonly url?: string;
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
