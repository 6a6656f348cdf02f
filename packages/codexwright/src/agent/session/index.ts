export { SetVisibility, VisibilitySlice, type Visibility } from "./built-in.ts";
export { SessionConflictError } from "./draft.ts";
export { event, type EventType, type SessionEvent } from "./event.ts";
export type { JournalEntry } from "./journal.ts";
export { log, type Log } from "./log.ts";
export {
  createSession,
  Session,
  type SessionAccess,
  type SessionReader,
  type SessionSnapshot,
} from "./session.ts";
export { RunLog, UsageSlice, type SessionUsage } from "./run-log.ts";
export { slice, type Slice } from "./slice.ts";
export { SessionInvalidError, type StoredSession } from "./stored.ts";
export { ThreadsSlice, type StoredThread } from "./threads.ts";
