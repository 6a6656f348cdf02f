import { CodexError, RpcError, type Delivery } from "../../rpc/errors.ts";

/** A login did not succeed; the message is the server's, without the secrets the login was made with. */
export class AuthFailedError extends CodexError {
  readonly code = "auth_failed";
  /** True where the login was given up on purpose. */
  readonly cancelled: boolean;
  readonly delivery: Delivery;

  constructor(
    message: string,
    options: ErrorOptions & { readonly cancelled?: boolean; readonly delivery?: Delivery } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.cancelled = options.cancelled ?? false;
    this.delivery = options.delivery ?? "rejected";
  }
}

/** The server's own refusal, told by its code: also one that another copy of this library made. */
export function isRpc(error: unknown): error is RpcError {
  return error instanceof Error && (error as Partial<RpcError>).code === "rpc";
}

/**
 * What a refused login rejects with. Servers quote what they cannot read, so every secret that was sent is
 * taken out of the message, and out of the cause.
 */
export function refused(error: unknown, secrets: readonly string[] = []): unknown {
  if (!isRpc(error)) return error;
  const message = redact(error.message, secrets);
  const cause = new RpcError(error.method, {
    code: error.rpcCode,
    message,
    ...(error.data !== undefined && { data: redactData(error.data, secrets) }),
  });
  // Not opted in: nothing was tried, and the login itself is not to blame.
  return message.includes("requires experimentalApi") ? cause : new AuthFailedError(message, { cause });
}

export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[redacted]")),
    text,
  );
}

function redactData(data: unknown, secrets: readonly string[]): unknown {
  const text = JSON.stringify(data);
  const safe = redact(text, secrets);
  return safe === text ? data : safe;
}
