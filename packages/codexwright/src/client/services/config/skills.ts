import type { SkillsListEntry, SkillsListParams } from "../../../protocol/index.ts";
import { atLeast } from "../../../protocol/release.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../../rpc/options/table.ts";

export interface SkillsOptions extends SkillsListParams, CallOptions {
  /**
   * Additional folders to search for skills, for some of `cwds`. Supported by Codex 0.100 to 0.128; newer versions have
   * `skills/extraRoots/set` instead.
   */
  readonly perCwdExtraUserRoots?:
    | readonly { readonly cwd: string; readonly extraUserRoots: readonly string[] }[]
    | undefined;
}

const OPTIONS: Table<SkillsOptions> = {
  ...CALL_OPTIONS,
  cwds: is.anything,
  forceReload: is.anything,
  perCwdExtraUserRoots: is.listOf(is.object),
};

/** Returns the skills of each folder, and the errors of the skills that could not be read. */
export async function listSkills(host: ServiceHost, options: SkillsOptions = {}): Promise<SkillsListEntry[]> {
  checkOptions("skills()", options, OPTIONS);
  const { signal, timeoutMs, ...params } = options;
  const version = host.serverVersion();
  // Other servers would silently ignore this option.
  if (params.perCwdExtraUserRoots && (!atLeast(version, "0.100.0") || atLeast(version, "0.130.0"))) {
    throw new UnsupportedError(
      `perCwdExtraUserRoots needs Codex 0.100 to 0.128, this is ${version}: from 0.140 on send skills/extraRoots/set`,
    );
  }
  return (await host.request("skills/list", params, { signal, timeoutMs })).data;
}
