import type { Snapshot } from "../domain/snapshot.ts";

/**
 * Whether no run goes on or will follow. Issues that wait for a person do not count, and retries do not if the fleet is
 * paused.
 */
export function isIdle({ claims, paused }: Snapshot): boolean {
  return claims.every(({ state }) => state === "blocked" || (state === "retrying" && paused !== null));
}
