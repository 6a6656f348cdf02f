import { CodexError, type Delivery } from "../../rpc/errors.ts";
import { isRpc, redact, redacted } from "./redact.ts";

/** A login did not succeed; the message is the server's, without the secrets the login was made with. */
export class AuthFailedError extends CodexError {
  readonly code = "auth_failed";
  /** True where the login was given up on purpose. */
  readonly cancelled: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { readonly cancelled?: boolean; readonly delivery?: Delivery } = {},
  ) {
    const { cancelled = false, ...rest } = options;
    super(message, { delivery: "rejected", ...rest });
    this.cancelled = cancelled;
  }
}

/**
 * What a refused login rejects with: `auth_failed`, without the secrets that were sent, in its message and in
 * its cause.
 */
export function refused(error: unknown, secrets: readonly string[] = []): unknown {
  if (error instanceof AuthFailedError) return new AuthFailedError(redact(error.message, secrets));
  if (!isRpc(error)) return error;
  const cause = redacted(error, secrets);
  // Not opted in: nothing was tried, and the login itself is not to blame.
  if (cause.message.includes("requires experimentalApi")) return cause;
  return new AuthFailedError(cause.message, { cause });
}
