import type { bubblewrap } from "@codexwright/engine/node";
import { resolvePolicy } from "@codexwright/engine/internal";
import type { ResolvedPolicy } from "@codexwright/engine";
import { run, type Outcome } from "./world.ts";

/** A policy with no roots but those that a test names. */
export const WRITE = { type: "workspaceWrite", excludeSlashTmp: true, excludeTmpdirEnvVar: true } as const;

/** The policy of a command that may write in this folder. */
export function policyOf(cwd: string, more: object = {}): ResolvedPolicy {
  const policy = resolvePolicy({ ...WRITE, ...more }, { cwd });
  if (!policy) throw new Error("the policy asks for no sandbox");
  return policy;
}

export function shell(script: string, cwd: string): { argv: string[]; cwd: string; onData: () => void } {
  return { argv: ["/bin/sh", "-c", script], cwd, onData: () => {} };
}

/** Runs a script in the sandbox. */
export async function runIn(
  sandbox: ReturnType<typeof bubblewrap>,
  script: string,
  policy: ResolvedPolicy,
  cwd: string,
): Promise<Outcome> {
  const wrapped = await sandbox.wrap(shell(script, cwd), policy);
  try {
    return await run(wrapped.command.argv, { cwd: "/", env: {} });
  } finally {
    await wrapped.release();
  }
}
