import type { Issue } from "../domain/issue.ts";
import type { Tracker } from "../domain/tracker.ts";

/** Asks the tracker for the issue as it is now. null: the tracker no longer shows it. Errors are `TrackerError`s. */
export async function refreshed(tracker: Tracker, id: string, signal: AbortSignal): Promise<Issue | null> {
  return (await tracker.byIds(new Set([id]), signal)).get(id) ?? null;
}
