import type { AskForApproval, SandboxMode, SandboxPolicy } from "../../../protocol/index.ts";
import { atLeast } from "../../../protocol/release.ts";
import { APPROVAL_SPELLINGS, SANDBOX_SPELLINGS } from "../../../protocol/spellings.ts";
import * as is from "../../../rpc/options/check.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";

/** A sandbox mode as the server spells it, or as older documents do. */
export type SandboxSpelling = SandboxMode | "readOnly" | "workspaceWrite" | "dangerFullAccess";

/** An approval policy as the server spells it, or as older documents and servers do. */
export type ApprovalSpelling = AskForApproval | "unlessTrusted" | "always" | "on-failure";

/** A sandbox policy as the server spells it, or with `mode` for `type`, as the oldest documents do. */
export type SandboxPolicySpelling =
  | SandboxPolicy
  | { readonly mode: SandboxSpelling; readonly [field: string]: unknown };

export const SANDBOX: is.Check<SandboxSpelling> = is.oneOf(...SANDBOX_SPELLINGS);

export const APPROVAL: is.Check<ApprovalSpelling> = is.either(is.oneOf(...APPROVAL_SPELLINGS), is.object);

const POLICY: Readonly<Record<SandboxMode, SandboxPolicy["type"]>> = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
  "danger-full-access": "dangerFullAccess",
};

const OLD_SANDBOX: Readonly<Record<string, SandboxMode>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

const OLD_APPROVAL: Readonly<Record<string, AskForApproval>> = {
  unlessTrusted: "untrusted",
  always: "on-request",
};

export function toSandboxMode(sandbox: SandboxSpelling): SandboxMode {
  return OLD_SANDBOX[sandbox] ?? (sandbox as SandboxMode);
}

export function toSandboxPolicy(policy: SandboxPolicySpelling): SandboxPolicy {
  if (!("mode" in policy)) return policy;
  const { mode, ...rest } = policy;
  return { ...rest, type: POLICY[toSandboxMode(mode)] };
}

/** Refuses what the connected server no longer takes, and would answer less clearly. */
export function toApprovalPolicy(policy: ApprovalSpelling, serverVersion: string): AskForApproval {
  if (policy === "on-failure" && atLeast(serverVersion, "0.143.0")) {
    throw new UnsupportedError(
      'approvalPolicy "on-failure" ended with Codex 0.143: use "on-request" or "never"',
    );
  }
  return typeof policy === "string" ? (OLD_APPROVAL[policy] ?? (policy as AskForApproval)) : policy;
}
