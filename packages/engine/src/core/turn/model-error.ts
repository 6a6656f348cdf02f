import { CodexError } from "codexwright/rpc";

/** What is known about a failure of a model. */
export interface ModelErrorDetails {
  /**
   * How far the request got: the provider could not make it, did not reach the model's server, was refused by it, or
   * lost or ended the stream.
   */
  readonly phase: "request" | "connect" | "status" | "stream";
  /** The HTTP status of a refusal, and its text. */
  readonly status?: number;
  readonly statusText?: string;
  /** The code by which the model's server names the error, such as "context_length_exceeded". */
  readonly reason?: string | undefined;
  /** The body of a refusal. */
  readonly body?: string;
  readonly url?: string;
}

/** A model that did not answer. A `ModelProvider` throws it from `stream`. */
export class ModelError extends CodexError {
  readonly code = "model_failed";
  readonly details: ModelErrorDetails;

  constructor(message: string, details: ModelErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}
