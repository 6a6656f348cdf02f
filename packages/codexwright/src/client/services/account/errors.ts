import { AuthFailedError } from "../../../rpc/errors.ts";
import { withoutSecrets } from "../../../redact/quoted.ts";
import { isRpc, redacted } from "./redact.ts";

/** Converts a refused login to `auth_failed`. Removes the secrets that were sent from its message and its cause. */
export function refused(error: unknown, secrets: readonly string[] = []): unknown {
  if (error instanceof AuthFailedError) return new AuthFailedError(withoutSecrets(error.message, secrets));
  if (!isRpc(error)) return error;
  const cause = redacted(error, secrets);
  // The client has not opted in to the experimental API: the server tried nothing, so it is not a failed login.
  if (cause.message.includes("requires experimentalApi")) return cause;
  return new AuthFailedError(cause.message, { cause });
}
