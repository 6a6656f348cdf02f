export { TrackerError } from "../domain/errors.ts";
export type { BlockerRef, Issue } from "../domain/issue.ts";
export type { Json, JsonObject } from "../domain/json.ts";
export type { ProviderKey, Tracker, TrackerConfig, TrackerKind, TrackerProfile } from "../domain/tracker.ts";
export { folderKind } from "./folder/kind.ts";
export { memoryTracker } from "./memory/kind.ts";
export { type HeldCall, MemoryIssues, type NewIssue, type TrackerCall } from "./memory/memory-issues.ts";
export { type TrackerCheck, type TrackerCheckResult, trackerChecks } from "./conformance/checks.ts";
export type { Breakage, SampleIssue, TrackerHarness } from "./conformance/harness.ts";
