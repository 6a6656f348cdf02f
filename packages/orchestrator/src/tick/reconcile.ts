import { FleetError } from "../domain/errors.ts";
import { idsToReconcile, reconcile } from "../policy/reconcile.ts";
import type { TickOptions } from "./options.ts";

/**
 * Compares the claims with the tracker: stops runs, ends claims, and stores new snapshots. Rejects if the tracker does
 * not answer. Then nothing has changed.
 */
export async function reconcileClaims(
  { store, scope, current, changed, journal }: TickOptions,
  signal: AbortSignal,
): Promise<{ readonly stopped: number; readonly released: number }> {
  const { claims } = await store.read(scope);
  const ids = idsToReconcile(claims);
  if (ids.size === 0) return { stopped: 0, released: 0 };
  const { settings, tracker } = current();
  const seen = await tracker.byIds(ids, signal);
  const { stops, releases, refreshed } = reconcile(claims, seen, settings);
  if (refreshed.length > 0) await store.refresh(scope, refreshed);
  if (stops.length > 0) {
    await store.reconcile(scope, stops);
    changed();
  }
  for (const { issueId, why, cleanup } of releases) {
    try {
      await store.release(scope, issueId, { why, cleanup });
    } catch (error) {
      // A worker has taken the run in the meantime. It asks the tracker itself.
      if (!(error instanceof FleetError) || error.code !== "invalid_order") throw error;
      continue;
    }
    const identifier = claims.find((claim) => claim.issueId === issueId)?.issue.identifier ?? null;
    journal.note({
      event: "claim.released",
      issueId,
      identifier,
      message: "the issue is released",
      data: { outcome: "released", reason: why },
    });
  }
  return { stopped: stops.length, released: releases.length };
}
