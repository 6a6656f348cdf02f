import { AuthFailedError } from "../../../rpc/errors.ts";
import { withoutSecrets } from "../../../redact/quoted.ts";
import { isRpc, redacted } from "./redact.ts";

/**
 * What a refused login rejects with: `auth_failed`, without the secrets that were sent, in its message and in
 * its cause.
 */
export function refused(error: unknown, secrets: readonly string[] = []): unknown {
  if (error instanceof AuthFailedError) return new AuthFailedError(withoutSecrets(error.message, secrets));
  if (!isRpc(error)) return error;
  const cause = redacted(error, secrets);
  // Not opted in: nothing was tried, and the login itself is not to blame.
  if (cause.message.includes("requires experimentalApi")) return cause;
  return new AuthFailedError(cause.message, { cause });
}
