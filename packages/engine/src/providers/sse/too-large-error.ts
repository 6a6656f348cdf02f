import { CodexError } from "codexwright/rpc";

/** A stream exceeds one of its limits. */
export class StreamTooLargeError extends CodexError {
  readonly code = "stream_too_large";
}
