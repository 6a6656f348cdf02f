import { CodexError } from "../rpc/errors.ts";

/** The server cannot listen: another server uses the address, or the system does not allow it. */
export class ListenError extends CodexError {
  readonly code = "listen_failed";
  readonly url: string;

  constructor(url: string, why: string, cause?: unknown) {
    super(`cannot listen on ${url}: ${why}`, cause === undefined ? undefined : { cause });
    this.url = url;
  }
}
