export type { ShellEnvironmentPolicy } from "./environment.ts";
export { shellSettings } from "./shell-settings.ts";
export { nodeShell, type NodeShellOptions } from "./node-shell.ts";
export { killGroup, killMarked, MARK } from "./process-tree.ts";
