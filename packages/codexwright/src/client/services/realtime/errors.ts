import { CodexError } from "../../../rpc/errors.ts";

/**
 * A realtime conversation could not be started, or ended unexpectedly. The message is the server's, if it sent one.
 */
export class RealtimeFailedError extends CodexError {
  readonly code = "realtime_failed";
}
