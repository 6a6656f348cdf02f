import type { SkillsListEntry, SkillsListParams } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import type { CallOptions } from "../requester.ts";
import { UnsupportedError } from "../server-errors.ts";
import type { ServiceHost } from "../service-host.ts";

export interface SkillsOptions extends SkillsListParams, CallOptions {
  /** More folders to look into, for some of `cwds`: Codex 0.100 to 0.128. Newer ones have `skills/extraRoots/set`. */
  readonly perCwdExtraUserRoots?:
    | readonly { readonly cwd: string; readonly extraUserRoots: readonly string[] }[]
    | undefined;
}

/** The skills of each folder, and what is wrong with those that could not be read. */
export async function listSkills(host: ServiceHost, options: SkillsOptions = {}): Promise<SkillsListEntry[]> {
  const { signal, timeoutMs, ...params } = options;
  const version = host.serverVersion();
  // Other servers would not say that they ignore it.
  if (params.perCwdExtraUserRoots && (!atLeast(version, "0.100.0") || atLeast(version, "0.130.0"))) {
    throw new UnsupportedError(
      `perCwdExtraUserRoots needs Codex 0.100 to 0.128, this is ${version}: from 0.140 on send skills/extraRoots/set`,
    );
  }
  return (await host.request("skills/list", params, { signal, timeoutMs })).data;
}
