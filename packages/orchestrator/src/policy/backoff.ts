import type { Settings } from "../domain/settings.ts";

/** The delay before a run that continues a normal one. */
export const CONTINUATION_DELAY_MS = 1000;

const FIRST_BACKOFF_MS = 10_000;

/** The delay before attempt `attempt`, from 1, after a failure. */
export function backoffMs(attempt: number, { agent }: Settings): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (Math.max(attempt, 1) - 1), agent.maxRetryBackoffMs);
}

/** Milliseconds from `now` until the next UTC day begins. */
export function untilNextDay(now: number): number {
  const day = 86_400_000;
  return day - (((now % day) + day) % day);
}
