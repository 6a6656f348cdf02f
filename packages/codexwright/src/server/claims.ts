/** The claims that a signed token must have, besides its times. */
export interface ExpectedClaims {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly maxClockSkewSeconds: number;
}

const INVALID = "invalid websocket jwt";

/**
 * Checks the claims of a token whose signature is valid. Returns `undefined` if the claims are valid, and otherwise the
 * error message of the real server.
 * @param now the current time in seconds since 1970
 */
export function checkClaims(payload: unknown, expected: ExpectedClaims, now: number): string | undefined {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return INVALID;
  const { exp, nbf, iss, aud } = payload as Record<string, unknown>;
  if (!isTime(exp) || !(isNothing(nbf) || isTime(nbf))) return INVALID;
  if (!(isNothing(iss) || typeof iss === "string") || !(isNothing(aud) || isAudience(aud))) return INVALID;
  const skew = expected.maxClockSkewSeconds;
  if (now > exp + skew) return "expired websocket jwt";
  if (isTime(nbf) && now < nbf - skew) return "websocket jwt is not valid yet";
  if (expected.issuer !== undefined && iss !== expected.issuer) return "websocket jwt issuer mismatch";
  if (expected.audience === undefined) return undefined;
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  return audiences.includes(expected.audience) ? undefined : "websocket jwt audience mismatch";
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value);
}

function isAudience(value: unknown): boolean {
  return (
    typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"))
  );
}
