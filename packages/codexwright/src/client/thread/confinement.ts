import type { SandboxMode, SandboxPolicy, TurnStartParams } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { toSandboxMode, type SandboxSpelling } from "../turn/options/spelling.ts";

/**
 * The limits on the commands of a thread, in wire form: a sandbox, a permissions profile, or neither, which selects the
 * user's configuration. The server rejects a sandbox together with a profile.
 */
export interface Confinement {
  readonly sandbox?: SandboxMode;
  readonly permissions?: string;
}

const MODES: Readonly<Record<string, SandboxMode>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
} satisfies Partial<Record<SandboxPolicy["type"], SandboxMode>>;

/** The caller's choice; `undefined` if there is none. `sandbox: null` selects the user's configuration. */
export function chosenConfinement({
  sandbox,
  permissions,
}: {
  readonly sandbox?: SandboxSpelling | null | undefined;
  readonly permissions?: string | null | undefined;
}): Confinement | undefined {
  if (sandbox && permissions) {
    throw new InvalidArgumentError("sandbox and permissions are mutually exclusive");
  }
  if (permissions) return { permissions };
  if (sandbox) return { sandbox: toSandboxMode(sandbox) };
  return sandbox === null ? {} : undefined;
}

/** The confinement of the thread after the overrides of a turn; `undefined` if the overrides do not change it. */
export function overriddenConfinement({
  sandboxPolicy,
  permissions,
}: Pick<TurnStartParams, "sandboxPolicy" | "permissions">): Confinement | undefined {
  if (permissions) return { permissions };
  const mode = sandboxPolicy && MODES[sandboxPolicy.type];
  return mode ? { sandbox: mode } : undefined;
}
