import type { IncomingRequest } from "../../rpc/incoming-request.ts";

/** A request of the server while a handler answers it: what the handler gets besides the params. */
export interface ServerRequest extends Pick<IncomingRequest, "id" | "signal"> {
  /** Aborts when the request is withdrawn: it was answered elsewhere, the turn ended, or the server is gone. */
  readonly signal: AbortSignal;
}
