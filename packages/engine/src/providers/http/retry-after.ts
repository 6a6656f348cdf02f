/** Returns how long a server asks clients to wait, in milliseconds, or `undefined` if it does not say. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const precise = headers.get("retry-after-ms");
  if (precise !== null && DIGITS.test(precise)) return Number(precise);
  const text = headers.get("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (DIGITS.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** A failed stream says it in its message: "Please try again in 1.5s", or "Please retry in 1.5s.". */
export function retryAfterText(message: string): number | undefined {
  const found = /(?:try again|retry) in (\d{1,9}(?:\.\d{1,9})?)\s?(ms|s|seconds?)\b/i.exec(message);
  if (!found) return undefined;
  const [, amount, unit] = found;
  return Number(amount) * (unit?.toLowerCase() === "ms" ? 1 : 1_000);
}

const DIGITS = /^\d{1,12}(?:\.\d{1,9})?$/;
