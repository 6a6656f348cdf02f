import { isJsonObject } from "../../rpc/json.ts";
import { messageOf } from "../../schema/schema.ts";
import type { Clock } from "../clock.ts";
import { frozenCopy } from "../json.ts";
import type { JournalEntry, OwnEvent } from "./journal.ts";
import type { Slice } from "./slice.ts";
import { NO_VALUES, withValues, type Store, type Values } from "./store.ts";
import { readJournal, SessionInvalidError, type StoredSession } from "./stored.ts";

/** The initial content of a session. */
export interface Origin {
  readonly id: string;
  readonly values: Values;
  readonly journal: readonly JournalEntry[];
}

/** All slices with their initial values. */
export function fresh(store: Store, clock: Clock): Origin {
  const values = withValues(
    NO_VALUES,
    [...store.slices.values()].map((slice) => [slice, slice["~slice"].initial]),
  );
  return { id: crypto.randomUUID(), values, journal: [created(store, clock, values, 0)] };
}

/**
 * Restores a stored session and continues its journal. If a slice is new or was migrated, a new journal starts, because
 * the old events cannot be replayed on that slice.
 */
export function reopened(store: Store, clock: Clock, { id, slices, journal }: StoredSession): Origin {
  const unknown = Object.keys(slices).filter((key) => !store.slices.has(key));
  if (unknown.length > 0) {
    throw new SessionInvalidError(
      `the stored session has slices that were not passed in options: ${unknown.join(", ")}`,
    );
  }
  let reshaped = false;
  const read = [...store.slices.values()].map((slice): [Slice, unknown] => {
    const stored = slices[slice.key];
    reshaped ||= stored?.version !== slice.version;
    return [slice, stored ? readSlice(slice, stored) : slice["~slice"].initial];
  });
  const values = withValues(NO_VALUES, read);
  const entries = journal.map((entry) => checkedEntry(store, entry));
  const last = entries.at(-1)?.seq ?? 0;
  return { id, values, journal: reshaped ? [created(store, clock, values, last + 1)] : entries };
}

/** Builds the values of a session by replaying a journal. */
export function replayed(store: Store, journal: readonly JournalEntry[]): Origin {
  const entries = readJournal(journal).map((entry) => checkedEntry(store, entry));
  const past = new Map<number, Values["state"]>();
  let values = NO_VALUES;
  for (const { seq, event } of entries) {
    try {
      values = next(store, values, past, event as OwnEvent);
    } catch (cause) {
      throw new SessionInvalidError(`entry ${seq} cannot be replayed: ${messageOf(cause)}`, { cause });
    }
    past.set(seq, values.state);
  }
  return { id: crypto.randomUUID(), values, journal: entries };
}

function next(
  store: Store,
  values: Values,
  past: ReadonlyMap<number, Values["state"]>,
  event: OwnEvent,
): Values {
  switch (event.type) {
    case "session/created": {
      const missing = [...store.slices.keys()].filter((key) => !(key in event.payload.slices));
      if (missing.length > 0)
        throw new SessionInvalidError(`session/created has no value for ${missing.join(", ")}`);
      return store.afterOwn(NO_VALUES, event);
    }
    case "session/set":
      return store.afterOwn(values, event);
    case "session/rolledBack": {
      const state = past.get(event.payload.to);
      if (!state)
        throw new SessionInvalidError(
          `entry ${event.payload.to}, the target of the rollback, does not exist`,
        );
      return { ...values, state };
    }
    default:
      return store.after(values, event);
  }
}

function readSlice(slice: Slice, { version, value }: { version: number; value: unknown }): unknown {
  const { migrate, parse } = slice["~slice"];
  const what = `slice ${JSON.stringify(slice.key)}`;
  if (version !== slice.version && !migrate) {
    throw new SessionInvalidError(
      `${what} was stored as version ${version}, but its version is ${slice.version}: add a migrate function`,
    );
  }
  try {
    return parse(version === slice.version ? value : migrate?.(value, version));
  } catch (cause) {
    throw new SessionInvalidError(`${what} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Returns the entry with its payload validated, if its event type is known. */
function checkedEntry(store: Store, entry: JournalEntry): JournalEntry {
  const { type, payload } = entry.event;
  try {
    const checked =
      store.eventType(type)?.parse(payload) ?? frozenCopy(`entry ${entry.seq} of the journal`, payload);
    if (type.startsWith("session/")) checkOwn(type, checked);
    return Object.freeze({ ...entry, event: Object.freeze({ type, payload: checked }) });
  } catch (cause) {
    throw new SessionInvalidError(`entry ${entry.seq} of the journal is invalid: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function checkOwn(type: string, payload: unknown): void {
  const { slices, slice, to } = isJsonObject(payload) ? payload : {};
  const good: Readonly<Record<string, boolean>> = {
    "session/created": isJsonObject(slices),
    "session/set": typeof slice === "string",
    "session/rolledBack": Number.isInteger(to),
  };
  if (!good[type]) throw new SessionInvalidError(`the payload of ${type} is invalid`);
}

function created(store: Store, clock: Clock, values: Values, seq: number): JournalEntry {
  const slices = [...store.slices.values()].map(
    (slice) => [slice.key, slice["~slice"].read(values[slice.policy].get(slice.key))] as const,
  );
  const payload = Object.freeze({ slices: Object.freeze(Object.fromEntries(slices)) });
  return Object.freeze({
    seq,
    at: clock.now(),
    event: Object.freeze({ type: "session/created", payload }),
  });
}
