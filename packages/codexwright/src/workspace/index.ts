export { FolderNotRemovedError } from "../system/not-removed.ts";
export { hasChanges } from "./git/changes.ts";
export type { Checkpoint } from "./checkpoints/checkpoints.ts";
export type { MountPreview } from "./copy.ts";
export {
  GitFailedError,
  NotARepositoryError,
  RevisionNotFoundError,
  WorkspaceBudgetExceededError,
  WorkspaceSecurityError,
} from "./errors.ts";
export type { Mount } from "./mount.ts";
export { overlayFs, type OverlayFs } from "./overlay-fs.ts";
export { Workspace, type WorkspaceOptions } from "./workspace.ts";
