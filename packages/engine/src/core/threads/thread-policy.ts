import { resolvePolicy } from "../confinement/resolve-policy.ts";
import type { ResolvedPolicy } from "../ports.ts";
import type { LoadedThread } from "./loaded-thread.ts";

/**
 * Returns what commands and patches of the thread may do now: its sandbox policy, widened by what the user has granted.
 * `undefined` means that the policy wants no sandbox. The roots depend on the folder of the thread, never on the folder
 * that the model names for one command.
 */
export function policyOf({ host, settings, config, grants, turn }: LoadedThread): ResolvedPolicy | undefined {
  const granted = grants.current(turn?.id);
  return resolvePolicy(settings.sandbox, {
    cwd: settings.cwd,
    roots: settings.roots,
    home: host.home,
    tmpdir: host.platform.tmpdir,
    ownCode: host.platform.ownCode?.() ?? [],
    // A command must not write the rules that decide on the next one.
    readOnly: config.folders,
    grants: granted,
  });
}
