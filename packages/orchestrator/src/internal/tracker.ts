export { FolderTracker } from "../tracker/folder/folder-tracker.ts";
export { edited } from "../tracker/folder/edit.ts";
export { folderKind } from "../tracker/folder/kind.ts";
export { trackerKind, TRACKER_KINDS } from "../tracker/kinds.ts";
export { memoryKind, memoryTracker } from "../tracker/memory/kind.ts";
export { MemoryIssues, type NewIssue } from "../tracker/memory/memory-issues.ts";
