import type { IncomingRequest } from "../../rpc/incoming-request.ts";

/** A server request that a handler is answering. Handlers receive it after the params. */
export interface ServerRequest extends Pick<IncomingRequest, "id" | "signal"> {
  /** Aborts when the request is withdrawn: it was answered elsewhere, the turn ended, or the server is gone. */
  readonly signal: AbortSignal;
}
