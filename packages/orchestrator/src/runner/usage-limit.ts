import type { CodexClient } from "codexwright";

/** How long to wait if the server does not say when the limit ends. */
const UNKNOWN_MS = 900_000;

/** When the account's usage limit ends, as an ISO time: the latest reset of the windows that are used up. */
export function limitEnds(client: CodexClient | undefined, now: number): string {
  const { rateLimits } = client?.rateLimits.current ?? {};
  const resets = [rateLimits?.primary, rateLimits?.secondary]
    .filter((window) => window !== null && window !== undefined && window.usedPercent >= 100)
    .flatMap((window) => (typeof window?.resetsAt === "number" ? [window.resetsAt * 1000] : []))
    .filter((at) => at > now);
  return new Date(resets.length > 0 ? Math.max(...resets) : now + UNKNOWN_MS).toISOString();
}
