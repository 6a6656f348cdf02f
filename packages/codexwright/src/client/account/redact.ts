import { RpcError } from "../../rpc/errors.ts";

/** The server's own refusal, told by its code: also one that another copy of this library made. */
export function isRpc(error: unknown): error is RpcError {
  return error instanceof Error && (error as Partial<RpcError>).code === "rpc";
}

/** The same refusal without these secrets: servers quote what they cannot read. */
export function redacted(error: RpcError, secrets: readonly string[]): RpcError {
  const { method, rpcCode, message, data } = error;
  const safe = redact(message, secrets);
  const text = data === undefined ? "" : JSON.stringify(data);
  const safeText = redact(text, secrets);
  if (safe === message && safeText === text) return error;
  return new RpcError(method, {
    code: rpcCode,
    message: safe,
    ...(data !== undefined && { data: safeText === text ? data : safeText }),
  });
}

/** The text without these secrets. What is too short to be one is left where it is. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 3)
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
}
