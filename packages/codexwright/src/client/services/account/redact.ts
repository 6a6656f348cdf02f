import { withoutSecrets } from "../../../redact/quoted.ts";
import { RpcError } from "../../../rpc/errors.ts";
import { isDeeperThan } from "../../../rpc/json.ts";

/**
 * True for a refusal by the server. Checks the code and not the class, so that it recognises errors from another copy
 * of this library.
 */
export function isRpc(error: unknown): error is RpcError {
  return error instanceof Error && (error as Partial<RpcError>).code === "rpc";
}

/** Removes these secrets from the refusal: servers quote input that they cannot parse. */
export function redacted(error: RpcError, secrets: readonly string[]): RpcError {
  const { method, rpcCode, message, data } = error;
  const safe = withoutSecrets(message, secrets);
  const text = data === undefined ? "" : jsonOf(data);
  const safeText = withoutSecrets(text, secrets);
  if (safe === message && safeText === text && text !== TOO_DEEP) return error;
  return new RpcError(method, {
    code: rpcCode,
    message: safe,
    ...(data !== undefined && { data: safeText === text && text !== TOO_DEEP ? data : safeText }),
  });
}

/** The text of an error's data. Data that is too deeply nested to search without exhausting the stack is removed. */
function jsonOf(data: unknown): string {
  return isDeeperThan(data, DEEPEST) ? TOO_DEEP : JSON.stringify(data);
}

const DEEPEST = 512;
const TOO_DEEP = "[removed: nested too deep]";
