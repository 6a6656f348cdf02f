import type { FleetEvent } from "../domain/events.ts";
import type { Snapshot } from "../domain/snapshot.ts";

/** The end of a fleet in memory, because its database is closed then. */
export interface Rest {
  readonly events: readonly FleetEvent[];
  readonly state: Snapshot;
}

export interface EventSource {
  readonly read: (after: bigint, signal: AbortSignal) => AsyncIterable<FleetEvent>;
  /** Waits before the next try. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
  /** Aborts when there will be no more events. */
  readonly over: AbortSignal;
  /** The last events, when `over` has aborted. */
  readonly rest: () => readonly FleetEvent[];
  readonly signal: AbortSignal | undefined;
}

/** Reads events, each once. Goes on when the database comes back. */
export async function* readEvents(
  after: bigint,
  { read, pause, over, rest, signal }: EventSource,
): AsyncGenerator<FleetEvent, void, undefined> {
  const until = signal === undefined ? over : AbortSignal.any([over, signal]);
  let last = after;
  while (!until.aborted) {
    try {
      for await (const event of read(last, until)) {
        last = event.seq;
        yield event;
      }
    } catch {
      // The database is away.
    }
    // It can also end at once, again and again.
    await pause(until);
  }
  if (signal?.aborted) return;
  for (const event of rest()) if (event.seq > last) yield event;
}
