import type { SandboxMode, SandboxPolicy, TurnStartParams } from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { toSandboxMode, type SandboxSpelling } from "../turn/options/spelling.ts";

/**
 * What the commands of a thread may touch, as it is sent: a sandbox, a profile of permissions, or neither, which is
 * what the user's configuration says. The server refuses both.
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

/** What a caller chose; `undefined` if nothing. `sandbox: null` is the choice of the user's configuration. */
export function chosenConfinement({
  sandbox,
  permissions,
}: {
  readonly sandbox?: SandboxSpelling | null | undefined;
  readonly permissions?: string | null | undefined;
}): Confinement | undefined {
  if (sandbox && permissions) {
    throw new InvalidArgumentError("sandbox and permissions exclude each other: give one of them");
  }
  if (permissions) return { permissions };
  if (sandbox) return { sandbox: toSandboxMode(sandbox) };
  return sandbox === null ? {} : undefined;
}

/** What the overrides of a turn leave the thread with; `undefined` if they leave it as it is. */
export function overriddenConfinement({
  sandboxPolicy,
  permissions,
}: Pick<TurnStartParams, "sandboxPolicy" | "permissions">): Confinement | undefined {
  if (permissions) return { permissions };
  const mode = sandboxPolicy && MODES[sandboxPolicy.type];
  return mode ? { sandbox: mode } : undefined;
}
