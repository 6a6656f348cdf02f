import { TrackerError } from "../domain/errors.ts";
import { dispatch } from "./dispatch.ts";
import { messageOf, type TickOptions, type TickReport } from "./options.ts";
import { reconcileClaims } from "./reconcile.ts";

export const NOTHING: TickReport = {
  outcome: "done",
  reason: null,
  candidates: 0,
  admitted: 0,
  waitsForSlot: false,
  stopped: 0,
  released: 0,
};

interface TickerState {
  readonly isDraining: () => boolean;
  readonly closing: AbortSignal;
}

/**
 * One tick: reconcile, preflight, candidates, order, admit. Rejects only if the database is away. No lock is held while
 * the tracker is asked.
 */
export async function tick(options: TickOptions, state: TickerState): Promise<TickReport> {
  const { store, scope, host } = options;
  let report = NOTHING;
  const done = await store.tick(scope, host, async (signal) => {
    const { isDraining, closing } = state;
    report = await work(options, AbortSignal.any([signal, closing]), isDraining);
  });
  return done === "elsewhere" ? { ...NOTHING, outcome: "elsewhere" } : report;
}

async function work(
  options: TickOptions,
  signal: AbortSignal,
  isDraining: () => boolean,
): Promise<TickReport> {
  const { store, scope, preflight } = options;
  const reconciled = await answered(reconcileClaims(options, signal));
  const hasFailed = reconciled instanceof TrackerError;
  const held = (await preflight()).find(({ ok }) => !ok);
  if (held !== undefined || isDraining()) {
    await store.polled(scope, { error: held?.why ?? null });
    const reason = held?.why ?? "the fleet drains";
    return { ...NOTHING, ...(!hasFailed && reconciled), outcome: "held", reason };
  }
  // The tracker has named the time of the next request.
  if (hasFailed && reconciled.retryAt !== undefined) return await failed(options, reconciled);
  const dispatched = await answered(dispatch(options, signal));
  if (dispatched instanceof TrackerError) {
    return { ...(await failed(options, dispatched)), ...(!hasFailed && reconciled) };
  }
  // The candidates were read, but the runs could not be compared with the tracker.
  if (hasFailed) return { ...(await failed(options, reconciled)), ...dispatched };
  await store.polled(scope, { error: null });
  return { ...NOTHING, ...reconciled, ...dispatched };
}

/** A tracker that does not answer is a result: runs go on. Any other error ends the tick. */
async function answered<T>(asked: Promise<T>): Promise<T | TrackerError> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof TrackerError) return error;
    throw error;
  }
}

async function failed({ store, scope }: TickOptions, error: TrackerError): Promise<TickReport> {
  const reason = `${error.code}: ${messageOf(error)}`;
  await store.polled(scope, { error: reason });
  if (error.retryAt !== undefined) {
    await store.wait(scope, new Date(error.retryAt).toISOString(), "the tracker limits requests");
  }
  return { ...NOTHING, outcome: "failed", reason };
}
