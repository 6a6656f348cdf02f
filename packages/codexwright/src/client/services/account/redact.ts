import { withoutSecrets } from "../../../redact/quoted.ts";
import { RpcError } from "../../../rpc/errors.ts";
import { isDeeperThan } from "../../../rpc/json.ts";

/** The server's own refusal, told by its code: also one that another copy of this library made. */
export function isRpc(error: unknown): error is RpcError {
  return error instanceof Error && (error as Partial<RpcError>).code === "rpc";
}

/** The same refusal without these secrets: servers quote what they cannot read. */
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

/** The text of an error's data. What is deeper than the stack is high cannot be looked through: it goes. */
function jsonOf(data: unknown): string {
  return isDeeperThan(data, DEEPEST) ? TOO_DEEP : JSON.stringify(data);
}

const DEEPEST = 512;
const TOO_DEEP = "[removed: nested too deep]";
