import type { RateLimitSnapshot, RateLimitWindow } from "codexwright/protocol";

/** The headers of any limit but the first one of Codex: `x-codex-<limit>-primary-used-percent`. */
const OTHER = /^x-codex-([a-z\d-]{1,64})-primary-used-percent$/;
/** A name of a server has no more characters than this. */
const LONGEST_TEXT = 200;

/** A server could name a limit in each of its headers. */
const MOST_LIMITS = 16;

/**
 * Reads the limits of an account from the headers of a response: those of Codex's own service, `x-codex-*`, or those of
 * other APIs, `x-ratelimit-*`. Headers that make no sense are ignored.
 */
export function rateLimitsOf(headers: Headers, nowMs: number): readonly RateLimitSnapshot[] {
  const others = [...headers.keys()].flatMap((name) => OTHER.exec(name)?.[1] ?? []).slice(0, MOST_LIMITS);
  const found = [
    codexLimits(headers, "x-codex", "codex"),
    ...others.map((limit) => codexLimits(headers, `x-codex-${limit}`, `codex_${limit.replaceAll("-", "_")}`)),
  ].filter((each) => each !== undefined);
  return found.length > 0 ? found : requestLimits(headers, nowMs);
}

function codexLimits(headers: Headers, prefix: string, limitId: string): RateLimitSnapshot | undefined {
  const primary = codexWindow(headers, `${prefix}-primary`);
  const secondary = codexWindow(headers, `${prefix}-secondary`);
  const credits = prefix === "x-codex" ? creditsOf(headers) : null;
  const limitName = textOf(headers, `${prefix}-limit-name`);
  if (!primary && !secondary && !credits) return undefined;
  return snapshot({ limitId, limitName, primary, secondary, credits });
}

/** A window that has no length, no end and nothing used is not a window, as in Codex. */
function codexWindow(headers: Headers, prefix: string): RateLimitWindow | null {
  const used = numberOf(headers, `${prefix}-used-percent`);
  if (used === null) return null;
  const windowDurationMins = integerOf(headers, `${prefix}-window-minutes`);
  const resetsAt = integerOf(headers, `${prefix}-reset-at`);
  if (used === 0 && !windowDurationMins && resetsAt === null) return null;
  return { usedPercent: Math.round(used), windowDurationMins, resetsAt };
}

function creditsOf(headers: Headers): RateLimitSnapshot["credits"] {
  const flag = (name: string): boolean | undefined => {
    const value = headers.get(`x-codex-credits-${name}`)?.trim().toLowerCase();
    if (value === "true" || value === "1") return true;
    return value === "false" || value === "0" ? false : undefined;
  };
  const [hasCredits, unlimited] = [flag("has-credits"), flag("unlimited")];
  if (hasCredits === undefined || unlimited === undefined) return null;
  return { hasCredits, unlimited, balance: textOf(headers, "x-codex-credits-balance") };
}

/** The limits of requests and of tokens. */
function requestLimits(headers: Headers, nowMs: number): RateLimitSnapshot[] {
  const primary = requestWindow(headers, "requests", nowMs);
  const secondary = requestWindow(headers, "tokens", nowMs);
  if (!primary && !secondary) return [];
  return [snapshot({ limitId: "x-ratelimit", limitName: null, primary, secondary, credits: null })];
}

function requestWindow(headers: Headers, what: string, nowMs: number): RateLimitWindow | null {
  const limit = numberOf(headers, `x-ratelimit-limit-${what}`);
  const remaining = numberOf(headers, `x-ratelimit-remaining-${what}`);
  if (limit === null || remaining === null || limit <= 0) return null;
  const usedPercent = Math.round(100 * (1 - Math.min(Math.max(remaining, 0), limit) / limit));
  const resetMs = durationOf(headers.get(`x-ratelimit-reset-${what}`) ?? "");
  const resetsAt = resetMs === undefined ? null : Math.ceil((nowMs + resetMs) / 1_000);
  return { usedPercent, windowDurationMins: null, resetsAt };
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[dhms])?){1,5}$/;

/** A time such as `6m0s`, `20ms` or `1.5`, which are seconds. */
function durationOf(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|[dhms])?/g)];
  return parts.reduce((sum, [, count, unit = "s"]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

function snapshot(
  limits: Pick<RateLimitSnapshot, "limitId" | "limitName" | "primary" | "secondary" | "credits">,
): RateLimitSnapshot {
  return {
    ...limits,
    normalModelSlug: null,
    individualLimit: null,
    spendControlReached: null,
    planType: null,
    rateLimitReachedType: null,
  };
}

/** A name of the server, without characters that could change how a terminal shows it. */
function textOf(headers: Headers, name: string): string | null {
  const text = headers.get(name)?.trim().slice(0, LONGEST_TEXT) ?? "";
  return text === "" || !/^[\x20-\x7E]*$/.test(text) ? null : text;
}

function integerOf(headers: Headers, name: string): number | null {
  const value = numberOf(headers, name);
  return Number.isSafeInteger(value) ? value : null;
}

function numberOf(headers: Headers, name: string): number | null {
  const text = headers.get(name)?.trim() ?? "";
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : null;
}
