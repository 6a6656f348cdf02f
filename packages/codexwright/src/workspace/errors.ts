import { CodexError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** A path leads outside of the allowed roots or the workspace, or through a symbolic link. */
export class WorkspaceSecurityError extends CodexError {
  readonly code = "workspace_security";
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${JSON.stringify(path)} ${why}`);
    this.path = path;
  }
}

/** The mounts contain more bytes than allowed. */
export class WorkspaceBudgetExceededError extends CodexError {
  readonly code = "workspace_budget_exceeded";
  /** Which limit was exceeded: the limit of one mount, or of the whole workspace. */
  readonly scope: "mount" | "workspace";
  readonly bytes: number;
  readonly maxBytes: number;

  constructor(scope: "mount" | "workspace", bytes: number, maxBytes: number) {
    super(`${scope === "mount" ? "Mount" : "Workspace"} exceeds byte budget: ${bytes} > ${maxBytes}`);
    this.scope = scope;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }
}

/** A git command failed, or git is not installed. */
export class GitFailedError extends CodexError {
  readonly code = "git_failed";
  readonly exitCode: number | undefined;
  readonly stderr: string;

  constructor(command: string, stderr: string, exitCode?: number, cause?: unknown) {
    super(
      `git ${command} failed: ${stderr.trim() || "is git installed?"}`,
      cause === undefined ? {} : { cause },
    );
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** A folder is not in a git repository, or its repository has no working tree. */
export class NotARepositoryError extends CodexError {
  readonly code = "not_a_repository";
  readonly folder: string;

  constructor(folder: string, why: string) {
    super(`${JSON.stringify(folder)} ${why}`);
    this.folder = folder;
  }
}

/** The repository has no branch, tag or commit with this name. */
export class RevisionNotFoundError extends CodexError {
  readonly code = "revision_not_found";
  readonly revision: string;

  constructor(revision: string, cause: unknown) {
    super(`the repository has no commit or branch ${JSON.stringify(revision)}`, { cause });
    this.revision = revision;
  }
}

/** Converts an error that occurred while a worktree was created. System errors become typed errors. */
export function worktreeError(error: unknown): CodexError {
  if (error instanceof CodexError) return error;
  const { message } = error as Error;
  return (
    resourceExhausted("creating a worktree", error) ??
    new GitFailedError("worktree", message, undefined, error)
  );
}
