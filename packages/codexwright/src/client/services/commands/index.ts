export type { ExecOptions } from "./exec-options.ts";
export type { ExecOutput } from "./exec-output.ts";
export type { ExecStdin } from "./exec-stdin.ts";
export { exec, execCommand, type ExecCommandParams, type ExecHandle, type ExecResult } from "./exec.ts";
