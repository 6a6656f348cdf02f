import type { Shell } from "../ports.ts";

/** The shell of a script, as a model or a user chooses it. */
export interface ShellChoice {
  /** The name or path of a shell. Only its name counts: an unknown name means `sh`. */
  readonly shell?: string | undefined;
  /** Whether the shell reads the user's profile; default true. */
  readonly login?: boolean | undefined;
}

/** Returns the arguments that run a script in a shell. */
export function shellArgv(
  shell: Shell,
  script: string,
  { shell: named, login = true }: ShellChoice = {},
): string[] {
  return [pathOf(shell, named), login ? "-lc" : "-c", script];
}

/** A script cannot name any program as its shell: the rules that allow commands know only shells. */
function pathOf(shell: Shell, named: string | undefined): string {
  if (named === undefined) return shell.program ?? "/bin/bash";
  const name = named.slice(named.lastIndexOf("/") + 1);
  if (name === "bash") return shell.find?.("bash") ?? "/bin/bash";
  if (name === "zsh") return shell.find?.("zsh") ?? "/bin/sh";
  return name === "sh" ? (shell.find?.("sh") ?? "/bin/sh") : "/bin/sh";
}
