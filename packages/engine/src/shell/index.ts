export type { ShellEnvironmentPolicy } from "./environment.ts";
export { nodeShell, type NodeShellOptions } from "./node-shell.ts";
