import { CodexError } from "../rpc/errors.ts";
import { resourceExhausted } from "../rpc/resource-exhausted.ts";

/** A path leads where it must not: out of the allowed roots, out of the workspace, or over a symbolic link. */
export class WorkspaceSecurityError extends CodexError {
  readonly code = "workspace_security";
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${JSON.stringify(path)} ${why}`);
    this.path = path;
  }
}

/** What was to be copied is more than may be. */
export class WorkspaceBudgetExceededError extends CodexError {
  readonly code = "workspace_budget_exceeded";
  /** Of one mount, or of the whole workspace. */
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

/** A git command failed, or there is no git. */
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

/** A folder is not in a git repository, or in one without a working tree. */
export class NotARepositoryError extends CodexError {
  readonly code = "not_a_repository";
  readonly folder: string;

  constructor(folder: string, why: string) {
    super(`${JSON.stringify(folder)} ${why}`);
    this.folder = folder;
  }
}

/** A repository does not have a branch, a tag or a commit of this name. */
export class RevisionNotFoundError extends CodexError {
  readonly code = "revision_not_found";
  readonly revision: string;

  constructor(revision: string, cause: unknown) {
    super(`the repository has no commit or branch ${JSON.stringify(revision)}`, { cause });
    this.revision = revision;
  }
}

/** The error to throw if a worktree cannot be made: errors of the system become typed ones. */
export function worktreeError(error: unknown): CodexError {
  if (error instanceof CodexError) return error;
  const { message } = error as Error;
  return (
    resourceExhausted("making a worktree", error) ?? new GitFailedError("worktree", message, undefined, error)
  );
}
