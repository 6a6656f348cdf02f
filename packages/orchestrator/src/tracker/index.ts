export { TrackerError } from "../domain/errors.ts";
export type { BlockerRef, Issue } from "../domain/issue.ts";
export type { ProviderKey, Tracker, TrackerConfig, TrackerKind, TrackerProfile } from "../domain/tracker.ts";
