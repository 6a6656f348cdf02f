import { absoluteEntries } from "codexwright/internal/node";

/** The issue of a hook. Hooks get these texts as variables, never as part of the script. */
export interface HookIssue {
  readonly id: string;
  readonly identifier: string;
}

/** The system does not start a program that has a longer variable, or one with a NUL. */
const LONGEST = 4_096;

/**
 * Returns the environment of a hook: ours, without the secrets, and with the issue as `CODEXWRIGHT_ISSUE_ID` and
 * `CODEXWRIGHT_ISSUE_IDENTIFIER`. A text that cannot be a variable is left out.
 *
 * Relative entries of PATH are left out, because they could start a program that an agent put into the workspace.
 */
export function hookEnv(
  own: NodeJS.ProcessEnv,
  issue: HookIssue,
  workspace: string,
  secretEnv: readonly string[],
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = { ...own, PATH: absoluteEntries(own["PATH"]) };
  for (const name of secretEnv) delete env[name];
  const data = {
    CODEXWRIGHT_ISSUE_ID: issue.id,
    CODEXWRIGHT_ISSUE_IDENTIFIER: issue.identifier,
    CODEXWRIGHT_WORKSPACE: workspace,
  };
  for (const [name, value] of Object.entries(data))
    env[name] = value.includes("\0") || value.length > LONGEST ? undefined : value;
  return env;
}

/** Returns the values of the secret variables. */
export function secretValues(own: NodeJS.ProcessEnv, secretEnv: readonly string[]): readonly string[] {
  return secretEnv.flatMap((name) => own[name] || []);
}
