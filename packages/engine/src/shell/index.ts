export type { ShellEnvironmentPolicy } from "./environment.ts";
export { shellSettings, type ShellSettings } from "./shell-settings.ts";
export { nodeShell, type NodeShellOptions } from "./node-shell.ts";
