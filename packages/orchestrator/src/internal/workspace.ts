export { HookError, type HookName, WorkspaceError } from "../workspace/errors.ts";
export { holdInside } from "../workspace/held.ts";
export { runHook } from "../workspace/hook.ts";
export { hookEnv } from "../workspace/hook-env.ts";
export { HookOutput } from "../workspace/hook-output.ts";
export { workspaceKey } from "../workspace/key.ts";
export { IssueWorkspace, type WorkspaceOptions } from "../workspace/workspace.ts";
