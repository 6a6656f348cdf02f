import { CodexError } from "codexwright";

/** The folder of an issue cannot be used. */
export class WorkspaceError extends CodexError {
  readonly code:
    /** The path is the root itself. */
    | "workspace_root"
    /** A part of the path inside the root is a link. */
    | "workspace_escape"
    /** The path is not below the root. */
    | "workspace_outside"
    | "disk_full"
    | "workspace_error";
  readonly path: string;

  constructor(code: WorkspaceError["code"], path: string, problem: string, options?: ErrorOptions) {
    super(`${path} ${problem}`, options);
    this.code = code;
    this.path = path;
  }
}

export type HookName = "after_create" | "before_run" | "after_run" | "before_remove";

/** A hook that did not succeed. The message has no output of the hook. */
export class HookError extends CodexError {
  readonly code: "hook_failed" | "hook_timeout";
  readonly hook: HookName;
  /** The end of the hook's output, without secrets, at most 2,048 bytes. For logs. */
  readonly output: string;

  constructor(code: HookError["code"], hook: HookName, problem: string, output = "", options?: ErrorOptions) {
    super(`the hook ${hook} ${problem}`, options);
    this.code = code;
    this.hook = hook;
    this.output = output;
  }
}

/** Converts an error of the file system. Other errors stay as they are. */
export function fileError(path: string, what: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof CodexError || code === undefined) return error;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  return new WorkspaceError(isFull ? "disk_full" : "workspace_error", path, `${what} (${code})`, {
    cause: error,
  });
}
