import type { ConfigEdit } from "../../../protocol/index.ts";
import { CodexError, type RpcError } from "../../../rpc/errors.ts";
import { isRpc, redacted } from "../account/redact.ts";

/** The configuration does not have the version in `expectedVersion`: read it again and decide again. */
export class ConfigConflictError extends CodexError {
  readonly code = "config_conflict";
  readonly data: unknown;

  constructor(cause: RpcError) {
    super(cause.message, { cause, delivery: "rejected" });
    this.data = cause.data;
  }
}

/** Keys whose values must not appear in a log. */
const SECRET = /token|secret|password|credential|authorization|api_?key|headers|(^|\.)env($|\.)/i;

/**
 * Converts the error of a refused write and removes the secrets that the write contained. Errors other than a
 * conflict keep the code `rpc`.
 */
export function namedConfig(error: unknown, edits: readonly ConfigValue[]): unknown {
  if (!isRpc(error)) return error;
  const safe = redacted(
    error,
    edits.flatMap(({ keyPath, value }) => [...secretsIn(value, SECRET.test(keyPath))]),
  );
  const { config_write_error_code: code } = (safe.data ?? {}) as { config_write_error_code?: unknown };
  return code === "configVersionConflict" ? new ConfigConflictError(safe) : safe;
}

type ConfigValue = Pick<ConfigEdit, "keyPath" | "value">;

function* secretsIn(value: ConfigEdit["value"] | undefined, secret: boolean): Generator<string> {
  if (typeof value === "string" && secret) yield value;
  else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value)) yield* secretsIn(each, secret || SECRET.test(key));
  }
}
