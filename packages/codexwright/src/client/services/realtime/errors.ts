import { CodexError } from "../../../rpc/errors.ts";

/** A realtime conversation could not be started, or ended otherwise than asked for; the message is the server's where it gave one. */
export class RealtimeFailedError extends CodexError {
  readonly code = "realtime_failed";
}
