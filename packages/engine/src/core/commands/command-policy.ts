import type { SandboxPolicy } from "codexwright/protocol";
import { resolvePolicy } from "../confinement/resolve-policy.ts";
import type { EngineHost } from "../host.ts";
import type { ResolvedPolicy } from "../ports.ts";

/**
 * Returns what a command without a thread may do under a policy, or `undefined` if the policy wants no sandbox. `cwd` is
 * the folder that the policy makes writable.
 */
export function commandPolicy(
  { home, platform }: Pick<EngineHost, "home" | "platform">,
  policy: SandboxPolicy,
  cwd: string,
): ResolvedPolicy | undefined {
  return resolvePolicy(policy, { cwd, home, tmpdir: platform.tmpdir, ownCode: platform.ownCode?.() ?? [] });
}
