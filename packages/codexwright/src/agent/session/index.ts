export {
  SetVisibility,
  VisibilitySlice,
  type Visibility,
  type VisibilityChange,
  type VisibilityOverrides,
} from "./built-in.ts";
export { SessionConflictError } from "./draft.ts";
export { event, type EventType, type SessionEvent } from "./event.ts";
export type { EntryTags, JournalEntry, OwnEvent } from "./journal.ts";
export { log, type Log } from "./log.ts";
export type { ObserverFailure, Unsubscribe } from "./observers.ts";
export {
  createSession,
  Session,
  type SessionAccess,
  type SessionOptions,
  type SessionReader,
  type SessionSnapshot,
} from "./session.ts";
export { RunLog, UsageSlice, type RunRecord, type SessionUsage } from "./run-log.ts";
export { slice, type On, type Reaction, type Slice, type SliceOptions, type SlicePolicy } from "./slice.ts";
export { SessionInvalidError, type StoredSession } from "./stored.ts";
export { StoreThread, ThreadsSlice, type StoredThread, type ThreadChange } from "./threads.ts";
