import type { SessionEvent } from "./event.ts";

/** The run and tool call that made an entry. */
export interface EntryTags {
  readonly runId?: string | undefined;
  readonly callId?: string | undefined;
}

/** One event of a session, in order. */
export interface JournalEntry extends EntryTags {
  /** Counts from 0 without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: SessionEvent;
}

/**
 * The events that sessions create themselves:
 * - `session/created { slices }`: the first entry, with the initial values
 * - `session/set { slice, value }`: a value replaced the state of a slice
 * - `session/rolledBack { to }`: the `state` slices were restored to their values after entry `to`
 */
export type OwnEvent =
  | {
      readonly type: "session/created";
      readonly payload: { readonly slices: Readonly<Record<string, unknown>> };
    }
  | { readonly type: "session/set"; readonly payload: { readonly slice: string; readonly value: unknown } }
  | { readonly type: "session/rolledBack"; readonly payload: { readonly to: number } };
